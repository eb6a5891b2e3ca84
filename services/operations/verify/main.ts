import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { failCommand, namedFileError } from "../../../infra/process/operator-error.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import { verifyProof } from "./verify-proof.ts";

// npm run verify -- FILE --key VKEY [--key VKEY]: keys of the log, and of witnesses

try {
  const { operand: file, options } = commandLine("verify");
  const text = await readFile(resolve(file), "utf8").catch((error: unknown) => {
    throw namedFileError(file, error);
  });
  const { holds, words } = await verifyProof(text, options.key);
  process.stdout.write(`${words}\n`);
  process.exitCode = holds ? 0 : 1;
} catch (error) {
  failCommand(error);
}
