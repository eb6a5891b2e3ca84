import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pause } from "../../../infra/following/pause.ts";
import { watchOver } from "../../../infra/postgres/embedded-process.ts";
import { freePort } from "../../../infra/process/free-port.ts";
import { reachRedis } from "../../../infra/redis/reach-redis.ts";

const restartAfterMs = 250;

/**
 * Starts the `redis-server` of this machine for a cluster, on a free port, with a password of this start and nothing kept: what waits in it is derivable.
 * When it dies it is started again, empty; it ends with this process, however that goes.
 * @returns its address, undefined where the machine has no such program
 */
export async function startOwnRedis(
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

/** Undefined where there is no such program. */
async function begin(folder: string, settings: string): Promise<Server | undefined> {
  // Its settings come by stdin: the password would be seen on a command line.
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
  child.stdin.on("error", () => undefined); // It ended before it had read them, and is started again.
  child.stdin.end(settings);
  return { ended, end: () => void child.kill("SIGTERM") };
}
