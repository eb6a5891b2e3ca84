import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { vi } from "vitest";
import { freePort } from "../free-port.ts";

/** For tests: a real redis-server of Debian's package, on a free port, with a folder of its own. */
export type TestRedis = {
  readonly url: string;
  /** Ends it with kill -9: what it held in memory is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty: it never writes to its disk. */
  start(): Promise<void>;
  /** Stops its clock, and sets it going again: connections stay open and nobody answers. */
  freeze(): void;
  thaw(): void;
  flush(): Promise<void>;
  keys(): Promise<string[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startTestRedis(...settings: readonly string[]): Promise<TestRedis> {
  const directory = mkdtempSync(join(tmpdir(), "certificates-redis-"));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}/0`;
  let server: ChildProcess | undefined;

  const ask = async <T>(question: (client: Redis) => Promise<T>): Promise<T> => {
    const password = settings[settings.indexOf("--requirepass") + 1];
    const client = new Redis(url, {
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
      ...(settings.includes("--requirepass") && password && { password }),
    });
    client.on("error", () => undefined); // The command on it fails and says why.
    try {
      await client.connect();
      return await question(client);
    } finally {
      client.disconnect();
    }
  };
  const start = async (): Promise<void> => {
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", directory, "--save", ""];
    server = spawn("redis-server", [...args, "--appendonly", "no", ...settings], { stdio: "ignore" });
    await vi.waitFor(() => ask((client) => client.ping()), { timeout: 20_000, interval: 50 });
  };
  const kill = async (): Promise<void> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  };

  await start();
  return {
    url,
    start,
    kill,
    freeze: () => void server?.kill("SIGSTOP"),
    thaw: () => void server?.kill("SIGCONT"),
    flush: async () => void (await ask((client) => client.flushall())),
    keys: () => ask((client) => client.keys("*")),
    [Symbol.asyncDispose]: async () => {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
