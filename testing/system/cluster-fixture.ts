import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { vi } from "vitest";
import { prepareCluster } from "../../infra/postgres/embedded-cluster.ts";
import { addressOf } from "../../infra/postgres/embedded-owner.ts";
import { findRunning } from "../../infra/postgres/embedded-process.ts";
import { freePort } from "../../infra/process/free-port.ts";
import { soon } from "../setup/patience.ts";
import { ownSettings } from "./own-settings.ts";

/** `npm run cluster` as a process, on free ports and temporary folders. */
export type TestCluster = {
  readonly url: string;
  /** Of the Postgres it started. */
  readonly connectionString: string;
  /** Everything it printed. */
  readonly said: () => string;
  /** Pids of the cluster and its processes, in order of their names. */
  readonly pids: () => readonly number[];
  /** Ends one of its processes with kill -9. */
  readonly kill: (name: string) => void;
  /** Waits until a process that was killed is ready again. */
  readonly readyAgain: (name: string) => Promise<void>;
  /** Ends the cluster like Ctrl-C; resolves to the exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** @param settings in addition to short waits and little output; PATH is searched for a redis-server */
export async function startTestCluster(settings: Record<string, string> = {}): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), "certificates-cluster-"));
  const [port, cardPort] = [await freePort(), await freePort()];
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "..", "..", "services", "operations", "cluster", "main.ts")],
    {
      ...ownSettings(folder, {
        PORT: String(port),
        SANDBOX_CARD_PORT: String(cardPort),
        DATA_DIR: join(folder, "data"),
        KEY_DIR: join(folder, "keys"),
        LOG_LEVEL: "warn",
        SKIP_WEB_BUILD: "1",
        PURGE_AFTER_SECONDS: "1",
        SWEEP_EVERY_SECONDS: "2",
        ...settings,
      }),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => void lines.push(line));
  }
  const saidOf = (name: string) => lines.filter((line) => line.startsWith(`${name} `));
  const pidOf = (name: string) =>
    Number(
      saidOf(name)
        .findLast((line) => / is process \d+$/.test(line))
        ?.split(" ")
        .at(-1),
    );
  const readies = (name: string) => saidOf(name).filter((line) => line.includes(" Ready: ")).length;
  const killed = new Map<string, number>();
  const end = (signal: NodeJS.Signals) => ended(child, signal);
  await vi.waitUntil(() => child.exitCode !== null || lines.some((line) => line.startsWith("Ready: ")), soon);
  if (child.exitCode !== null) throw new Error(`The cluster did not start. It said:\n${lines.join("\n")}`);
  const place = await prepareCluster(join(folder, "data"));
  return {
    url: `http://localhost:${port}`,
    connectionString: addressOf(place, findRunning(place.cluster)?.port ?? 0),
    said: () => lines.join("\n"),
    pids: () => lines.flatMap((line) => / is process (\d+)$/.exec(line)?.[1] ?? []).map(Number),
    kill: (name) => {
      killed.set(name, readies(name));
      process.kill(pidOf(name), "SIGKILL");
    },
    readyAgain: (name) =>
      vi.waitFor(() => {
        if (readies(name) <= (killed.get(name) ?? 0)) throw new Error(`${name} is not ready again.`);
      }, soon),
    end,
    [Symbol.asyncDispose]: async () => {
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
  return child.exitCode;
}
