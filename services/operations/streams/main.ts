import { parseArgs } from "node:util";
import { readConfig } from "../../../infra/config/config.ts";
import { OperatorError, wordsForOperator } from "../../../infra/process/operator-error.ts";
import { openAnyLog } from "../../../projections/runner/open-log.ts";
import { createParkedRecords } from "./postgres-parked-records.ts";
import { retryParked, wordsOf } from "./retry-parked.ts";

// npm run streams:retry [-- <stream>] [-- --list]

const mostListed = 1_000;

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { list: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  if (positionals.length > 1) throw new OperatorError("Name one stream, or none for all.");
  // Signals the followers, without reading the log.
  const opened = await openAnyLog(readConfig(), { beside: true });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => opened.close());
  const records = createParkedRecords(opened.pool);
  if (!values.list) {
    const tried = await retryParked(records, positionals[0]);
    process.stdout.write(`${tried.words}\n`);
    if (!tried.done) process.exitCode = 1;
  }
  for (const record of await records.list(mostListed)) process.stdout.write(`${wordsOf(record)}\n`);
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
