import type { Config } from "../../infra/config/config.ts";
import type { Running } from "../../infra/process/run-process.ts";
import { buildWebWhenChanged } from "../../infra/setup/build-web.ts";
import { createProjections } from "../../projections/runner/projections.ts";
import { createParkedRecords } from "../operations/streams/parked-records.ts";
import { answerOperator } from "./answer-operator.ts";
import { findOwnAddress, openPremises, sandboxNotice } from "./app-dependencies.ts";
import { openBackRoom } from "./background-worker.ts";
import { layGround } from "./infrastructure.ts";
import { groundReady } from "./infrastructure-ready.ts";
import { openFrontDoor } from "./open-gateway.ts";
import { refuseSandboxInProduction } from "./provider-modes.ts";
import {
  olderOrdersReady,
  policiesReady,
  projectionsReady,
  recordsReady,
  settingsReady,
} from "./readiness.ts";
import { refuseAlone, refuseOwnSandbox } from "./refuse-alone.ts";

/**
 * A standalone gateway. It reads the read model versions it was built with, and is not ready before some process has
 * folded them.
 * @throws OperatorFault, the signal's reason, or an internal error; by then everything that was started has stopped
 */
export async function startGateway(config: Config, signal: AbortSignal): Promise<Running> {
  refuseAlone(config, "A gateway by itself");
  refuseOwnSandbox(config, "A gateway by itself");
  refuseSandboxInProduction(config);
  await using closing = new AsyncDisposableStack();
  const { port, url } = await findOwnAddress(config);

  if (!config.SKIP_WEB_BUILD) await buildWebWhenChanged(signal);
  const ground = await layGround(config, closing, signal);
  const premises = await openPremises(config, url, ground, closing);
  const projections = createProjections({ ...ground, fold: false });
  const { policies } = openBackRoom(premises);
  const readiness = [
    ...groundReady(ground, config),
    projectionsReady(projections),
    recordsReady(createParkedRecords(ground.pool)),
    settingsReady(premises.settings),
    // Done by workers: without them orders are still accepted, and the back office shows what waits.
    { ...policiesReady(policies), degrades: true },
    { ...olderOrdersReady(policies), degrades: true },
  ];
  const gateway = await openFrontDoor(premises, projections, readiness);
  // Creates missing tables, so reads find them before any runner has started.
  await projections.start();
  closing.defer(() => projections.stop());
  // Ends a full read of the log that staff may have requested from this process.
  closing.defer(() => premises.auditor.stop());
  signal.throwIfAborted();
  await answerOperator(config, readiness, ground.telemetry.meter, signal, closing);
  const listening = await gateway.listen(config.HOST, port);
  closing.defer(() => listening.close());
  ground.log.info({ url, port, pid: process.pid }, "ready");

  const notice = await sandboxNotice(config, ground.secrets);
  const running = closing.move();
  return {
    ready: `http://localhost:${port}`,
    notice,
    stop: () => running.disposeAsync(),
    lost: ground.lost,
  };
}
