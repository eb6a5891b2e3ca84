import type { Config } from "../../../infra/config/config.ts";
import { type Running, runProcess } from "../../../infra/process/run-process.ts";
import { buildWebWhenChanged } from "../../../infra/setup/build-web.ts";
import { createProjections } from "../../../projections/runner/projections.ts";
import { createParkedRecords } from "../../operations/streams/postgres-parked-records.ts";
import { answerOperator } from "../answer-operator.ts";
import { findOwnAddress, openAppDependencies, sandboxNotice } from "../app-dependencies.ts";
import { openBackgroundWorker } from "../background-worker.ts";
import { infrastructureReady, openInfrastructure } from "../infrastructure.ts";
import { openGateway } from "../open-gateway.ts";
import { refuseAlone, refuseOwnSandbox, refuseSandboxInProduction } from "../provider-modes.ts";
import {
  olderOrdersReady,
  policiesReady,
  projectionsReady,
  recordsReady,
  settingsReady,
} from "../readiness.ts";

/**
 * A standalone gateway. It reads the read model versions it was built with, and is not ready before some process has
 * folded them.
 * @throws OperatorError, the signal's reason, or an internal error; by then everything that was started has stopped
 */
async function startGateway(config: Config, signal: AbortSignal): Promise<Running> {
  refuseAlone(config, "A standalone gateway");
  refuseOwnSandbox(config, "A standalone gateway");
  refuseSandboxInProduction(config);
  await using closing = new AsyncDisposableStack();
  const { port, url } = await findOwnAddress(config);

  if (!config.SKIP_WEB_BUILD) await buildWebWhenChanged(signal);
  const infrastructure = await openInfrastructure("gateway", config, closing, signal);
  const app = await openAppDependencies(config, url, infrastructure, closing);
  const projections = createProjections({ ...infrastructure, fold: false });
  const { policies } = openBackgroundWorker(app);
  const readiness = [
    ...infrastructureReady(infrastructure, config),
    projectionsReady(projections),
    recordsReady(createParkedRecords(infrastructure.pool)),
    settingsReady(app.settings),
    // Done by workers: without them orders are still accepted, and the back office shows what waits.
    { ...policiesReady(policies), degrades: true },
    { ...olderOrdersReady(policies), degrades: true },
  ];
  const gateway = await openGateway(app, projections, readiness);
  // Creates missing tables, so reads find them before any runner has started.
  closing.defer(() => projections.stop());
  await projections.start();
  // Ends a full read of the log that staff may have requested from this process.
  closing.defer(() => app.auditor.stop());
  signal.throwIfAborted();
  await answerOperator(config, readiness, infrastructure.telemetry.meter, signal, closing);
  const listening = await gateway.listen(config.HOST, port);
  closing.defer(() => listening.close());
  infrastructure.log.info({ url, port, pid: process.pid }, "ready");

  const notice = await sandboxNotice(config, infrastructure.secrets);
  const running = closing.move();
  return {
    ready: `http://localhost:${port}`,
    notice,
    stop: () => running.disposeAsync(),
    lost: infrastructure.lost,
  };
}

// npm run gateway: serves requests; projections and the worker are other processes. Any number may run.
runProcess("gateway", startGateway);
