import { randomUUID } from "node:crypto";
import type { Config } from "../infra/config.ts";
import { createLog } from "../infra/log.ts";
import { openOperatorPort } from "../infra/operator-port.ts";
import { type Running, runProcess } from "../infra/run-process.ts";
import { refuseAlone } from "../services/composition/not-alone.ts";
import { databaseReady, projectionsReady } from "../services/composition/readiness.ts";
import { health } from "../services/gateway/health.ts";
import { openLog } from "./open-log.ts";
import { createProjections } from "./projections.ts";

// npm run projections: a process of its own that only folds; any number may run, and one at a time folds each read model.

async function startRunner(config: Config, signal: AbortSignal): Promise<Running> {
  refuseAlone(config, "A projection runner");
  await using closing = new AsyncDisposableStack();
  const log = createLog(config.LOG_LEVEL);
  const { pool, store, close, lost } = await openLog(config);
  closing.defer(close);
  const projections = createProjections({ pool, store, log, newId: randomUUID, now: () => new Date() });
  await projections.start();
  closing.defer(() => projections.stop());
  signal.throwIfAborted();
  const readiness = [databaseReady(pool, () => undefined), projectionsReady(projections)];
  await openOperatorPort(config, [health(readiness, () => signal.aborted)], closing);
  log.info("The projections follow the log.");

  const running = closing.move();
  return { ready: "projections", stop: () => running.disposeAsync(), lost };
}

runProcess(startRunner);
