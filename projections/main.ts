import { randomUUID } from "node:crypto";
import type { Config } from "../infra/config/config.ts";
import { createLog } from "../infra/process/log.ts";
import { type Running, runProcess } from "../infra/process/run-process.ts";
import { watchStorage } from "../infra/telemetry/storage/storage-watch.ts";
import { answerOperator } from "../services/composition/answer-operator.ts";
import { refuseAlone } from "../services/composition/provider-modes.ts";
import {
  databaseReady,
  logReady,
  projectionsReady,
  recordsReady,
} from "../services/composition/readiness.ts";
import { createParkedRecords } from "../services/operations/streams/postgres-parked-records.ts";
import { openTelemetry } from "../services/telemetry/telemetry.ts";
import { watchLog } from "../services/telemetry/watched-infrastructure.ts";
import { openLog } from "./runner/open-log.ts";
import { createProjections } from "./runner/projections.ts";

// npm run projections: a process that only folds; any number may run, and one at a time folds each read model.

async function startRunner(config: Config, signal: AbortSignal): Promise<Running> {
  refuseAlone(config, "A projection runner");
  await using closing = new AsyncDisposableStack();
  const log = createLog(config.LOG_LEVEL);
  const now = () => new Date();
  const telemetry = await openTelemetry(config, log, now, closing);
  const { pool, store, connectionString, confirmLog, close, lost } = await openLog(config, { log });
  closing.defer(close);
  const isApart = config.EVENTSTORE_URL !== undefined;
  const storage = closing.use(watchStorage({ connectionString, store, isApart, log }));
  const watched = watchLog(telemetry, { pool, store, now });
  const projections = createProjections({ pool, ...watched, storage, log, newId: randomUUID, now });
  closing.defer(() => projections.stop());
  await projections.start();
  signal.throwIfAborted();
  const readiness = [
    databaseReady(pool, () => undefined),
    logReady(confirmLog, config),
    projectionsReady(projections),
    recordsReady(createParkedRecords(pool)),
  ];
  await answerOperator(config, readiness, telemetry.meter, signal, closing);
  log.info("projections follow the log");

  const running = closing.move();
  return { ready: "projections", stop: () => running.disposeAsync(), lost };
}

runProcess("projections", startRunner);
