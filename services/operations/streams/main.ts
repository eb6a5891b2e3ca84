import { readConfig } from "../../../infra/config/config.ts";
import { failCommand } from "../../../infra/process/operator-error.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import { openAnyLog } from "../../../projections/runner/open-log.ts";
import { createParkedRecords } from "./postgres-parked-records.ts";
import { retryParked, wordsOf } from "./retry-parked.ts";

// npm run streams:retry [-- <stream>] [-- --list]

const mostListed = 1_000;

async function run(): Promise<void> {
  const { operand: stream, options } = commandLine("streams:retry");
  // Signals the followers, without reading the log.
  const opened = await openAnyLog(readConfig(), { beside: true });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => opened.close());
  const records = createParkedRecords(opened.pool);
  if (!options.list) {
    const tried = await retryParked(records, stream);
    process.stdout.write(`${tried.words}\n`);
    if (!tried.done) process.exitCode = 1;
  }
  const parked = await records.list(mostListed);
  if (options.list && parked.length === 0) process.stdout.write("Nothing is parked.\n");
  for (const record of parked) process.stdout.write(`${wordsOf(record)}\n`);
}

try {
  await run();
} catch (error) {
  failCommand(error);
}
