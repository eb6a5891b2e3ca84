import type { Config } from "../../../infra/config/config.ts";
import { expectFree } from "../../../infra/process/free-port.ts";
import { type Running, runProcess } from "../../../infra/process/run-process.ts";
import { buildWebWhenChanged } from "../../../infra/setup/build-web.ts";
import { createProjections } from "../../../projections/runner/projections.ts";
import { createParkedRecords } from "../../operations/streams/postgres-parked-records.ts";
import { answerOperator } from "../answer-operator.ts";
import { findOwnAddress, openAppDependencies, sandboxNotice } from "../app-dependencies.ts";
import { openBackgroundWorker } from "../background-worker.ts";
import { infrastructureReady, openInfrastructure } from "../infrastructure.ts";
import { openGateway } from "../open-gateway.ts";
import { refuseSandboxInProduction, sandboxedOf } from "../provider-modes.ts";
import {
  olderOrdersReady,
  policiesReady,
  projectionsReady,
  recordsReady,
  settingsReady,
} from "../readiness.ts";

/**
 * The whole product in one process.
 * @param signal aborts the start
 * @throws OperatorError, the signal's reason, or an internal error; by then everything that was started has stopped
 */
async function startSystem(config: Config, signal: AbortSignal): Promise<Running> {
  refuseSandboxInProduction(config);
  await using closing = new AsyncDisposableStack();
  const { port, url } = await findOwnAddress(config);
  if (config.SANDBOX_URL === undefined && sandboxedOf(config.providers).has("payments"))
    await expectFree(config.HOST, config.SANDBOX_CARD_PORT);

  const infrastructure = await openInfrastructure("system", config, closing, signal);
  // After claiming the data folder, so two starts in one folder never build at once.
  if (!config.SKIP_WEB_BUILD) await buildWebWhenChanged(signal);
  const app = await openAppDependencies(config, url, infrastructure, closing);
  const projections = createProjections(infrastructure);
  const backgroundWorker = openBackgroundWorker(app);
  const readiness = [
    ...infrastructureReady(infrastructure, config),
    projectionsReady(projections),
    recordsReady(createParkedRecords(infrastructure.pool)),
    settingsReady(app.settings),
    policiesReady(backgroundWorker.policies),
    { ...olderOrdersReady(backgroundWorker.policies), degrades: true },
  ];
  const gateway = await openGateway(app, projections, readiness);

  closing.defer(() => projections.stop());
  await projections.start();
  signal.throwIfAborted();
  await backgroundWorker.start(closing);
  await answerOperator(config, readiness, infrastructure.telemetry.meter, signal, closing);
  const listening = await gateway.listen(config.HOST, port);
  closing.defer(() => listening.close());
  app.outside.sandbox?.deliverTo(`http://${config.HOST === "0.0.0.0" ? "127.0.0.1" : config.HOST}:${port}`);
  infrastructure.log.info({ url, pid: process.pid }, "ready");

  const notice = await sandboxNotice(config, infrastructure.secrets);
  const running = closing.move();
  return { ready: url, notice, stop: () => running.disposeAsync(), lost: infrastructure.lost };
}

// npm start: everything in one process.
runProcess("start", startSystem);
