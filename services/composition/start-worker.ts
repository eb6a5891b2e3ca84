import type { Config } from "../../infra/config/config.ts";
import type { Running } from "../../infra/process/run-process.ts";
import { createParkedRecords } from "../operations/streams/parked-records.ts";
import { answerOperator } from "./answer-operator.ts";
import { openPremises } from "./app-dependencies.ts";
import { openBackRoom } from "./background-worker.ts";
import { layGround } from "./infrastructure.ts";
import { groundReady } from "./infrastructure-ready.ts";
import { refuseSandboxInProduction } from "./provider-modes.ts";
import { olderOrdersReady, policiesReady, recordsReady, settingsReady } from "./readiness.ts";
import { refuseAlone, refuseOwnSandbox } from "./refuse-alone.ts";

/**
 * A standalone worker: policies, jobs, sweeps and the auditor. Any number may run.
 * @throws OperatorFault, the signal's reason, or an internal error; by then everything that was started has stopped
 */
export async function startWorker(config: Config, signal: AbortSignal): Promise<Running> {
  refuseAlone(config, "A worker by itself");
  refuseOwnSandbox(config, "A worker by itself");
  refuseSandboxInProduction(config);
  await using closing = new AsyncDisposableStack();
  const ground = await layGround(config, closing, signal);
  const premises = await openPremises(config, publicUrlOf(config), ground, closing);
  const backRoom = openBackRoom(premises);
  const readiness = [
    ...groundReady(ground, config),
    recordsReady(createParkedRecords(ground.pool)),
    settingsReady(premises.settings),
    policiesReady(backRoom.policies),
    olderOrdersReady(backRoom.policies),
  ];
  signal.throwIfAborted();
  await backRoom.start(closing);
  await answerOperator(config, readiness, ground.telemetry.meter, signal, closing);
  ground.log.info({ pid: process.pid }, "ready");

  const running = closing.move();
  return { ready: "worker", stop: () => running.disposeAsync(), lost: ground.lost };
}

const publicUrlOf = (config: Config): string => config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
