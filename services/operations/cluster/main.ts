import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../../../infra/config/config.ts";
import { pause } from "../../../infra/following/follower-turn.ts";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { watchOver } from "../../../infra/postgres/embedded-process.ts";
import { freePort } from "../../../infra/process/free-port.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { type Running, runProcess } from "../../../infra/process/run-process.ts";
import { reachRedis } from "../../../infra/redis/open-redis.ts";
import { buildWebWhenChanged } from "../../../infra/setup/build-web.ts";
import { inheriting, type KeptProcess, keepRunning } from "../../../infra/setup/kept-process.ts";
import { findOwnAddress } from "../../composition/app-dependencies.ts";
import { refuseSandboxInProduction } from "../../composition/provider-modes.ts";
import { type Plan, planCluster } from "./plan.ts";
import { type Gateways, startProxy, watchGateways } from "./proxy.ts";

// npm run cluster: the product as several processes on this machine, behind one address.

/** All seven processes start at once, possibly on two cores. */
const readyWithinMs = 90_000;

/**
 * The product as several processes on this machine behind one address: an embedded database unless one is set, Redis if
 * installed, a sandbox for providers without keys, two of each kind, a proxy. Restarts any process that dies.
 * @throws OperatorError, the signal's reason, or an internal error; by then everything that was started has stopped
 */
async function startCluster(config: Config, signal: AbortSignal): Promise<Running> {
  refuseSandboxInProduction(config);
  await using closing = new AsyncDisposableStack();
  const { port, url: publicUrl } = await findOwnAddress(config);
  const database = await findDatabase(config, closing, signal);
  if (!config.SKIP_WEB_BUILD) await buildWebWhenChanged(signal);
  const redisUrl = config.REDIS_URL ?? (await startOwnRedis(config.DATA_DIR, closing, signal));
  if (redisUrl === undefined) say("cluster", "Redis is not installed: jobs are in the database");

  const plan = await planCluster(config, { databaseUrl: database.url, redisUrl, publicUrl, port });
  signal.throwIfAborted();
  const gateways = watchGateways(plan.gateways);
  closing.defer(() => gateways.stop());
  const proxy = await startProxy({ gateways, sandbox: plan.sandbox }, config.HOST, port);
  closing.defer(() => proxy.close());
  const kept = plan.roles.map((role) => keepRunning(inheriting(role), (line) => say(role.name, line)));
  // All at once: none needs another to stop cleanly.
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
    onTrouble: () => say("cluster", "the embedded Postgres stopped and is being restarted"),
  });
  closing.defer(() => server.stop());
  return { url: server.connectionString, lost: server.lost };
}

/** @throws OperatorError when a process ends before it is ready, or a gateway is not ready in time */
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

const tooLate = (): OperatorError =>
  new OperatorError(
    `The processes of the cluster were not all ready within ${readyWithinMs / 1000} s: see their lines above.`,
  );

const restartAfterMs = 250;

/**
 * Starts this machine's `redis-server` for a cluster, on a free port, with a new password and without persistence: its
 * jobs can be derived again. Restarts it, empty, if it dies; it ends with this process in any case.
 * @returns its address, undefined if the program is not installed
 */
async function startOwnRedis(
  directory: string,
  closing: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<string | undefined> {
  const folder = join(directory, "redis");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = await freePort();
  const password = randomBytes(24).toString("hex");
  const settings = `bind 127.0.0.1\nport ${port}\nrequirepass ${password}\nsave ""\nappendonly no\nmaxmemory-policy noeviction\n`;
  const first = await begin(folder, settings);
  if (first === undefined) return undefined;
  const stopping = new AbortController();
  let server = first;
  const kept = (async () => {
    while (!stopping.signal.aborted) {
      await server.ended;
      await pause(restartAfterMs, stopping.signal);
      if (!stopping.signal.aborted) server = (await begin(folder, settings)) ?? server;
    }
  })();
  closing.defer(async () => {
    stopping.abort();
    server.end();
    await kept;
  });
  const url = `redis://:${password}@127.0.0.1:${port}/0`;
  await reachRedis(url, signal);
  return url;
}

type Server = { readonly ended: Promise<void>; readonly end: () => void };

/** Undefined if the program is not installed. */
async function begin(folder: string, settings: string): Promise<Server | undefined> {
  // Settings come by stdin, because a command line would show the password.
  const child = spawn("redis-server", ["-"], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: folder,
  });
  const began = await once(child, "spawn").then(
    () => true,
    () => false,
  );
  if (!began || child.pid === undefined) return undefined;
  const unwatch = watchOver(child.pid);
  const ended = once(child, "exit").then(unwatch);
  child.stdin.on("error", () => undefined); // It ended before reading them, and is restarted.
  child.stdin.end(settings);
  return { ended, end: () => void child.kill("SIGTERM") };
}

/** Each process has 25 s to stop, and they stop together. */
const stopWithinMs = 60_000;
runProcess("cluster", startCluster, stopWithinMs);
