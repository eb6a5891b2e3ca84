import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../../../infra/config/config.ts";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { OperatorFault } from "../../../infra/process/operator-error.ts";
import type { Running } from "../../../infra/process/run-process.ts";
import { buildWebWhenChanged } from "../../../infra/setup/build-web.ts";
import { type KeptProcess, keepRunning } from "../../../infra/setup/kept-process.ts";
import { findOwnAddress } from "../../composition/own-address.ts";
import { refuseSandboxInProduction } from "../../composition/provider-modes.ts";
import { type Gateways, watchGateways } from "./gateways.ts";
import { startOwnRedis } from "./own-redis.ts";
import { type Plan, planCluster } from "./plan.ts";
import { startProxy } from "./proxy.ts";

/** All seven processes begin at once, on a machine that may have two cores. */
const readyWithinMs = 90_000;

/**
 * The product as several processes on this machine behind one address: a database unless there is one, Redis where it is found, a sandbox for what has no
 * keys, two of each kind, a proxy. Whatever dies is started again.
 * @throws OperatorFault, the signal's reason, or a fault of ours; then everything that was started has ended again
 */
export async function startCluster(config: Config, signal: AbortSignal): Promise<Running> {
  refuseSandboxInProduction(config);
  await using closing = new AsyncDisposableStack();
  const { port, url: publicUrl } = await findOwnAddress(config);
  const database = await findDatabase(config, closing, signal);
  if (!config.SKIP_WEB_BUILD) await buildWebWhenChanged(signal);
  const redisUrl = config.REDIS_URL ?? (await startOwnRedis(config.DATA_DIR, closing, signal));
  if (redisUrl === undefined) say("cluster", "Redis is not here: jobs are in the database");

  const plan = await planCluster(config, { databaseUrl: database.url, redisUrl, publicUrl, port });
  signal.throwIfAborted();
  const gateways = watchGateways(plan.gateways);
  closing.defer(() => gateways.stop());
  const proxy = await startProxy({ gateways, sandbox: plan.sandbox }, config.HOST, port);
  closing.defer(() => proxy.close());
  const kept = plan.roles.map((role) => keepRunning(role, (line) => say(role.name, line)));
  // All at once: none of them needs another one to end well.
  closing.defer(() => Promise.all(kept.map((process) => process.stop())).then(() => undefined));
  closing.defer(() => proxy.leave());
  await allReady(kept, gateways, plan, signal);

  const running = closing.move();
  return { ready: publicUrl, stop: () => running.disposeAsync(), lost: database.lost };
}

function say(name: string, line: string): void {
  process.stdout.write(`${name.padEnd(13)} ${line}\n`);
}

type Database = { readonly url: string; readonly lost: Promise<Error> };

/** Two of each kind may have some 190 connections open at the same time. */
const embeddedSettings = ["max_connections=300"];

async function findDatabase(
  config: Config,
  closing: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<Database> {
  if (config.DATABASE_URL !== undefined)
    return { url: config.DATABASE_URL, lost: new Promise(() => undefined) };
  const server = await startEmbedded({
    directory: config.DATA_DIR,
    settings: embeddedSettings,
    signal,
    onTrouble: () => say("cluster", "the embedded Postgres went away and is started again"),
  });
  closing.defer(() => server.stop());
  return { url: server.connectionString, lost: server.lost };
}

/** @throws OperatorFault when one ends before it was ready, or a gateway is not ready in time */
async function allReady(
  kept: readonly KeptProcess[],
  gateways: Gateways,
  plan: Plan,
  signal: AbortSignal,
): Promise<void> {
  const late = AbortSignal.timeout(readyWithinMs);
  const given = AbortSignal.any([signal, late]);
  const givenUp = new Promise<never>((_, fail) => {
    given.addEventListener("abort", () => fail(signal.aborted ? signal.reason : tooLate()));
  });
  await Promise.race([Promise.all(kept.map(({ ready }) => ready)), givenUp]);
  while (gateways.inTurn().length < plan.gateways.length) {
    await Promise.race([delay(100), givenUp]);
  }
}

const tooLate = (): OperatorFault =>
  new OperatorFault(
    `The processes of the cluster were not all ready within ${readyWithinMs / 1000} s: see their lines above.`,
  );
