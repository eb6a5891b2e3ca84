import { randomUUID } from "node:crypto";
import { readConfig } from "../infra/config.ts";
import { createLog } from "../infra/log.ts";
import { wordsForOperator } from "../infra/operator-fault.ts";
import { openLog } from "./open-log.ts";
import { createProjections } from "./projections.ts";

// A process of its own that only folds; any number may run, and one at a time folds each read model.

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.LOG_LEVEL);
  const { pool, store, close, lost } = await openLog(config);
  const projections = createProjections({ pool, store, log, newId: randomUUID, now: () => new Date() });
  await projections.start();
  log.info("The projections follow the log.");
  const stop = (): void => {
    projections
      .stop()
      .then(close)
      .then(() => process.exit(0), fail);
  };
  // "disconnect": the process that started this one is gone, however it went.
  for (const signal of ["SIGINT", "SIGTERM", "disconnect"] as const) process.once(signal, stop);
  void lost.then(fail);
}

function fail(error: unknown): void {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exit(1);
}

main().catch(fail);
