import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { GenericContainer, getContainerRuntimeClient } from "testcontainers";
import { vi } from "vitest";
import { freePort } from "../../infra/process/free-port.ts";
import { soon } from "../setup/patience.ts";
import { hasRedisServer, redisImage } from "../setup/provide-programs.ts";

/** A real Redis on a free port, the machine's or one in a container. */
export type TestRedis = {
  readonly url: string;
  /** Kills it with -9: its in-memory data is lost. */
  kill(): Promise<void>;
  /** Restarts it on the same port, empty: it never writes to disk. */
  start(): Promise<void>;
  /** Suspends it: connections stay open without answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  flush(): Promise<void>;
  keys(): Promise<string[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Host = Pick<TestRedis, "kill" | "start" | "freeze" | "thaw"> & { readonly remove: () => Promise<void> };

export async function startTestRedis(...settings: readonly string[]): Promise<TestRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}/0`;

  const ask = async <T>(question: (client: Redis) => Promise<T>): Promise<T> => {
    const password = settings[settings.indexOf("--requirepass") + 1];
    const client = new Redis(url, {
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
      ...(settings.includes("--requirepass") && password && { password }),
    });
    client.on("error", () => undefined); // Reported by the failing command.
    try {
      await client.connect();
      return await question(client);
    } finally {
      client.disconnect();
    }
  };
  const forgetful = ["--save", "", "--appendonly", "no", ...settings];
  const host = hasRedisServer() ? onThisMachine(port, forgetful) : await inContainer(port, forgetful);
  const start = async (): Promise<void> => {
    await host.start();
    await vi.waitFor(() => ask((client) => client.ping()), soon);
  };

  await start();
  return {
    url,
    start,
    kill: host.kill,
    freeze: host.freeze,
    thaw: host.thaw,
    flush: async () => void (await ask((client) => client.flushall())),
    keys: () => ask((client) => client.keys("*")),
    [Symbol.asyncDispose]: host.remove,
  };
}

function onThisMachine(port: number, settings: readonly string[]): Host {
  const directory = mkdtempSync(join(tmpdir(), "certificates-redis-"));
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", directory, ...settings];
  let server: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  };
  return {
    kill,
    start: async () => {
      server = spawn("redis-server", args, { stdio: "ignore" });
      await once(server, "spawn");
    },
    freeze: async () => void server?.kill("SIGSTOP"),
    thaw: async () => void server?.kill("SIGCONT"),
    remove: async () => {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function inContainer(port: number, settings: readonly string[]): Promise<Host> {
  const started = await new GenericContainer(redisImage)
    .withCommand(["redis-server", "--protected-mode", "no", ...settings])
    .withExposedPorts({ container: 6379, host: port })
    .start();
  const { container: containers } = await getContainerRuntimeClient();
  const container = containers.getById(started.getId());
  let state: "running" | "frozen" | "killed" = "running";
  const thaw = async (): Promise<void> => {
    if (state !== "frozen") return;
    await container.unpause();
    state = "running";
  };
  return {
    kill: async () => {
      await thaw(); // A frozen container cannot be killed.
      if (state === "running") await container.kill();
      state = "killed";
    },
    start: async () => {
      if (state === "killed") await container.start();
      state = "running";
    },
    freeze: async () => {
      if (state === "running") await container.pause();
      state = "frozen";
    },
    thaw,
    remove: async () => {
      await thaw();
      await started.stop({ timeout: 0 });
    },
  };
}
