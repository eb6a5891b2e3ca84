import type { Config } from "../../infra/config/config.ts";
import { expectFree } from "../../infra/process/free-port.ts";
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
import { refuseSandboxInProduction, standInsOf } from "./provider-modes.ts";
import {
  olderOrdersReady,
  policiesReady,
  projectionsReady,
  recordsReady,
  settingsReady,
} from "./readiness.ts";

/**
 * The whole product in one process.
 * @param signal aborts the start
 * @throws OperatorFault, the signal's reason, or an internal error; by then everything that was started has stopped
 */
export async function startSystem(config: Config, signal: AbortSignal): Promise<Running> {
  refuseSandboxInProduction(config);
  await using closing = new AsyncDisposableStack();
  const { port, url } = await findOwnAddress(config);
  if (config.SANDBOX_URL === undefined && standInsOf(config.providers).has("payments"))
    await expectFree(config.HOST, config.SANDBOX_CARD_PORT);

  const ground = await layGround(config, closing, signal);
  // After claiming the data folder, so two starts in one folder never build at once.
  if (!config.SKIP_WEB_BUILD) await buildWebWhenChanged(signal);
  const premises = await openPremises(config, url, ground, closing);
  const projections = createProjections(ground);
  const backRoom = openBackRoom(premises);
  const readiness = [
    ...groundReady(ground, config),
    projectionsReady(projections),
    recordsReady(createParkedRecords(ground.pool)),
    settingsReady(premises.settings),
    policiesReady(backRoom.policies),
    { ...olderOrdersReady(backRoom.policies), degrades: true },
  ];
  const gateway = await openFrontDoor(premises, projections, readiness);

  await projections.start();
  closing.defer(() => projections.stop());
  signal.throwIfAborted();
  await backRoom.start(closing);
  await answerOperator(config, readiness, ground.telemetry.meter, signal, closing);
  const listening = await gateway.listen(config.HOST, port);
  closing.defer(() => listening.close());
  premises.outside.sandbox?.deliverTo(
    `http://${config.HOST === "0.0.0.0" ? "127.0.0.1" : config.HOST}:${port}`,
  );
  ground.log.info({ url, pid: process.pid }, "ready");

  const notice = await sandboxNotice(config, ground.secrets);
  const running = closing.move();
  return { ready: url, notice, stop: () => running.disposeAsync(), lost: ground.lost };
}
