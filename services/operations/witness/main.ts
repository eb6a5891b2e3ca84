import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { OperatorError, wordsForOperator } from "../../../infra/process/operator-error.ts";
import { runWitness } from "./run-witness.ts";

// npm run witness -- --folder DIR --name NAME --log VKEY [--log VKEY] [--host ADDRESS] [--port PORT]

try {
  const { values } = parseArgs({
    options: {
      folder: { type: "string" },
      name: { type: "string" },
      log: { type: "string", multiple: true, default: [] },
      host: { type: "string", default: "127.0.0.1" },
      port: { type: "string", default: "8090" },
    },
  });
  const { folder, name } = values;
  if (folder === undefined || name === undefined)
    throw new OperatorError(
      "Give a folder and a name: npm run witness -- --folder DIR --name NAME --log VKEY",
    );
  const running = await runWitness({
    ...{ folder: resolve(folder), name, logs: values.log, host: values.host, port: Number(values.port) },
    say: (line) => process.stdout.write(`${line}\n`),
  });
  const end = () => {
    running.close().catch((error: unknown) => {
      process.stderr.write(`${wordsForOperator(error)}\n`);
      process.exitCode = 1;
    });
  };
  process.once("SIGINT", end).once("SIGTERM", end);
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
