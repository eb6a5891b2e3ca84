import type { Config } from "../../../infra/config/config.ts";
import { type Running, runProcess } from "../../../infra/process/run-process.ts";
import { createParkedRecords } from "../../operations/streams/postgres-parked-records.ts";
import { answerOperator } from "../answer-operator.ts";
import { openAppDependencies } from "../app-dependencies.ts";
import { openBackgroundWorker } from "../background-worker.ts";
import { infrastructureReady, openInfrastructure } from "../infrastructure.ts";
import { refuseAlone, refuseOwnSandbox, refuseSandboxInProduction } from "../provider-modes.ts";
import { olderOrdersReady, policiesReady, recordsReady, settingsReady } from "../readiness.ts";

/**
 * A standalone worker: policies, jobs, sweeps and the auditor. Any number may run.
 * @throws OperatorError, the signal's reason, or an internal error; by then everything that was started has stopped
 */
async function startWorker(config: Config, signal: AbortSignal): Promise<Running> {
  refuseAlone(config, "A standalone worker");
  refuseOwnSandbox(config, "A standalone worker");
  refuseSandboxInProduction(config);
  await using closing = new AsyncDisposableStack();
  const infrastructure = await openInfrastructure("worker", config, closing, signal);
  const app = await openAppDependencies(config, publicUrlOf(config), infrastructure, closing);
  const backgroundWorker = openBackgroundWorker(app);
  const readiness = [
    ...infrastructureReady(infrastructure, config),
    recordsReady(createParkedRecords(infrastructure.pool)),
    settingsReady(app.settings),
    policiesReady(backgroundWorker.policies),
    olderOrdersReady(backgroundWorker.policies),
  ];
  signal.throwIfAborted();
  await backgroundWorker.start(closing);
  await answerOperator(config, readiness, infrastructure.telemetry.meter, signal, closing);
  infrastructure.log.info({ pid: process.pid }, "ready");

  const running = closing.move();
  return { ready: "worker", stop: () => running.disposeAsync(), lost: infrastructure.lost };
}

const publicUrlOf = (config: Config): string => config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;

// npm run worker: policies, jobs, sweeps and the auditor as a separate process.
runProcess("worker", startWorker);
