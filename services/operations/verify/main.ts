import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { wordsForOperator } from "../../../infra/process/operator-error.ts";
import { verifyProof } from "./verify-proof.ts";

// npm run verify -- FILE --key VKEY [--key VKEY]: keys of the log, and of witnesses

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { key: { type: "string", multiple: true, default: [] } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) {
    process.stderr.write("Name one proof file: npm run verify -- FILE --key VKEY\n");
    process.exitCode = 1;
  } else {
    const { holds, words } = await verifyProof(await readFile(resolve(file), "utf8"), values.key);
    process.stdout.write(`${words}\n`);
    process.exitCode = holds ? 0 : 1;
  }
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
