import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../free-port.ts";
import { findServer } from "./embedded-binaries.ts";

/** A running embedded server. `stop` waits until it has written everything and ended. */
export type EmbeddedServer = { connectionString: string; adopted: boolean; stop: () => Promise<void> };

export type EmbeddedOptions = {
  /** Holds the cluster, its password and its log. */
  directory: string;
  /** Extra server settings, as `name=value`. */
  settings?: readonly string[];
};

const startTimeoutMs = 60_000;
const stopTimeoutMs = 30_000;
/** One process owns an embedded server; this lock, held on its own connection, dies with it. */
const ownerLock = 7_306_520;

/**
 * Starts the embedded Postgres of a data folder, or adopts the one that a killed process left running.
 * @throws Error with a sentence for the operator: another owner is alive, or the server does not come up
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { directory } = options;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const password = readOrMakePassword(join(directory, "password"));
  const cluster = join(directory, "cluster");
  if (!existsSync(join(cluster, "PG_VERSION"))) createCluster(directory, cluster);
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const running = readPostmaster(cluster);
    const adopted = running !== undefined;
    const port = running?.port ?? (await freePort());
    const child = adopted ? undefined : launch(directory, cluster, port, options.settings ?? []);
    const connectionString = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    const owner = await connectAsOwner(connectionString, child, deadline);
    if (owner) {
      const pid = running?.pid ?? child?.pid ?? 0;
      return { connectionString, adopted, stop: () => stopServer(owner, pid) };
    }
    // After a kill -9 of both, the old server's children may still hold the memory for some seconds.
    if (Date.now() > deadline) {
      throw new Error(
        `The embedded Postgres in ${directory} does not start: its reasons are in ${join(directory, "server.log")}.`,
      );
    }
    await delay(300);
  }
}

function readOrMakePassword(path: string): string {
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString("hex"), { mode: 0o600 });
  return readFileSync(path, "utf8").trim();
}

/** Made beside its place and renamed, so that a start that was cut off leaves no half-made cluster behind. */
function createCluster(directory: string, cluster: string): void {
  const unfinished = `${cluster}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const { file, args } = findServer()("initdb");
  const done = spawnSync(
    file,
    [
      ...args,
      "-D",
      unfinished,
      "-U",
      "postgres",
      "--auth=scram-sha-256",
      `--pwfile=${join(directory, "password")}`,
      "--encoding=UTF8",
      "--locale=C",
      "--no-instructions",
    ],
    { encoding: "utf8" },
  );
  if (done.status !== 0) {
    throw new Error(
      `The embedded Postgres could not make its data folder ${cluster}: ${done.error?.message ?? done.stderr.trim()}`,
    );
  }
  renameSync(unfinished, cluster);
}

function launch(directory: string, cluster: string, port: number, settings: readonly string[]): ChildProcess {
  const { file, args } = findServer()("postgres");
  const log = openSync(join(directory, "server.log"), "w", 0o600);
  const all = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    "jit=off",
    ...settings,
  ];
  const child = spawn(
    file,
    [...args, "-D", cluster, "-p", String(port), ...all.flatMap((setting) => ["-c", setting])],
    {
      stdio: ["ignore", log, log],
      // A session of its own: Ctrl-C must reach us first, so that work in progress ends before its database does.
      detached: true,
    },
  );
  closeSync(log);
  child.on("error", () => undefined); // Seen as "does not start" with the log's path.
  child.unref();
  return child;
}

/** Pid and port of a server that lives on this cluster. */
function readPostmaster(cluster: string): { pid: number; port: number } | undefined {
  const path = join(cluster, "postmaster.pid");
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, "utf8").split("\n");
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return pid > 0 && port > 0 && isAlive(pid) ? { pid, port } : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A connection that holds the owner's lock, or undefined when the server went away while starting. */
async function connectAsOwner(
  connectionString: string,
  child: ChildProcess | undefined,
  deadline: number,
): Promise<pg.Client | undefined> {
  const attemptUntil = Math.min(deadline, Date.now() + (child ? startTimeoutMs : 5000));
  while (Date.now() < attemptUntil && child?.exitCode == null && child?.signalCode == null) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2000 });
    client.on("error", () => undefined); // The server's end is noticed by everyone who uses it.
    try {
      await client.connect();
    } catch {
      await delay(25);
      continue;
    }
    const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [
      ownerLock,
    ]);
    if (rows[0]?.mine) return client;
    await client.end();
    throw new Error(
      "Another process is already running on this data folder: stop it, or give this one its own DATA_DIR, KEY_DIR and PORT.",
    );
  }
  return undefined;
}

async function stopServer(owner: pg.Client, pid: number): Promise<void> {
  await owner.end().catch(() => undefined); // Already gone when the server was stopped from outside.
  if (!isAlive(pid)) return;
  process.kill(pid, "SIGINT");
  const deadline = Date.now() + stopTimeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline)
      throw new Error(
        `The embedded Postgres (process ${pid}) did not stop within ${stopTimeoutMs / 1000} s.`,
      );
    await delay(20);
  }
}
