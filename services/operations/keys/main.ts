import { parseArgs } from "node:util";
import { readConfig } from "../../../infra/config/config.ts";
import { wordsForOperator } from "../../../infra/process/operator-error.ts";
import { rotateKey } from "./rotate-key.ts";

// npm run keys:rotate -- <name> [--revoke]

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { revoke: { type: "boolean", default: false } },
  });
  const { KEY_DIR, KEY_MIRROR_DIR } = readConfig();
  const said = await rotateKey({
    keyDir: KEY_DIR,
    mirrorDir: KEY_MIRROR_DIR,
    name: positionals[0] ?? "",
    revoke: values.revoke,
    now: new Date(),
  });
  process.stdout.write(`${said}\n`);
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
