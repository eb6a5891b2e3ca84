import { readConfig } from "../../../infra/config/config.ts";
import { failCommand } from "../../../infra/process/operator-error.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import { rotateKey } from "./rotate-key.ts";

// npm run keys:rotate -- <name> [--revoke]

try {
  const { operand: name, options } = commandLine("keys:rotate");
  const { KEY_DIR, KEY_MIRROR_DIR } = readConfig();
  const said = await rotateKey({
    keyDir: KEY_DIR,
    mirrorDir: KEY_MIRROR_DIR,
    name,
    revoke: options.revoke,
    now: new Date(),
  });
  process.stdout.write(`${said}\n`);
} catch (error) {
  failCommand(error);
}
