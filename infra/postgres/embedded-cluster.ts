import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { freeBytesAt } from "../process/free-space.ts";
import { fileError, OperatorError } from "../process/operator-error.ts";
import { findServer, isAlive, type Place } from "./embedded-process.ts";

const unfinished = /^cluster\.(\d+)\.unfinished$/;

export const clusterOf = (directory: string): string => join(directory, "cluster");

const isMade = (cluster: string): boolean => existsSync(join(cluster, "PG_VERSION"));

/** Whether a data folder holds a database. */
export const hasCluster = (directory: string): boolean => isMade(clusterOf(directory));

/**
 * Creates the missing parts of a data folder: its password and cluster. Concurrent starts end up with the same ones,
 * and an interrupted start leaves nothing that a later one would mistake for complete.
 * @throws OperatorError when the folder cannot be used or the cluster cannot be made
 */
export async function prepareCluster(directory: string, signal?: AbortSignal): Promise<Place> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const cluster = clusterOf(directory);
    const made = isMade(cluster);
    const password = readOrMakePassword(join(directory, "password"), made);
    clearUnfinished(directory);
    if (!made) await createCluster(directory, cluster, signal);
    // Copies often become readable by others, and Postgres refuses those.
    else if ((statSync(cluster).mode & 0o077) !== 0) chmodSync(cluster, 0o700);
    return { directory, cluster, password };
  } catch (error) {
    throw fileError(error) ?? error;
  }
}

function readOrMakePassword(path: string, clusterIsMade: boolean): string {
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  if (owner === undefined && clusterIsMade) {
    throw new OperatorError(
      `${path} is missing, and the database beside it cannot be opened without it: restore the file from the original folder.`,
    );
  }
  const self = process.getuid?.();
  if (owner !== undefined && self !== undefined && owner !== self) {
    throw new OperatorError(
      `${path} belongs to user ${owner}, but this runs as user ${self}: start it as the user that started it first, or set DATA_DIR, KEY_DIR and PORT to others.`,
    );
  }
  if (owner === undefined) makePassword(path);
  return readFileSync(path, "utf8").trim();
}

/**
 * Written under a temporary name and linked to its own, which only the first process can do; it is never read
 * half-written.
 */
function makePassword(path: string): void {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, randomBytes(24).toString("hex"), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
}

/** Leftovers of interrupted starts. The program creating them may still be writing for a moment: hence the retries. */
function clearUnfinished(directory: string): void {
  for (const name of readdirSync(directory)) {
    const maker = Number(unfinished.exec(name)?.[1] ?? 0);
    if (maker > 0 && maker !== process.pid && !isAlive(maker)) remove(join(directory, name));
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

async function createCluster(
  directory: string,
  cluster: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const draft = join(directory, `cluster.${process.pid}.unfinished`);
  remove(draft);
  const { file, args } = findServer(cluster)("initdb");
  const words = [
    "-D",
    draft,
    "-U",
    "postgres",
    "--auth=scram-sha-256",
    `--pwfile=${join(directory, "password")}`,
    "--encoding=UTF8",
    "--locale=C",
    "--no-instructions",
  ];
  const problem = await run(file, [...args, ...words], signal);
  if (problem !== undefined) {
    remove(draft);
    signal?.throwIfAborted();
    throw new OperatorError(`The embedded Postgres could not make its data folder ${cluster}: ${problem}`);
  }
  try {
    renameSync(draft, cluster);
  } catch (error) {
    // A concurrent start was first; its cluster has the same password.
    remove(draft);
    if (!isMade(cluster)) throw error;
  }
}

/** Runs a program; resolves to its error, undefined on success. */
function run(
  file: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe"], ...(signal ? { signal } : {}) });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (words: string) => {
    said = (said + words).slice(-2000);
  });
  return new Promise((done) => {
    child.on("error", (error) => done(error.message));
    child.on("close", (code, by) =>
      done(code === 0 ? undefined : said.trim() || `initdb ended with ${by ?? code}.`),
    );
  });
}

/** Postgres' write-ahead log grows in segments of 16 MB, and recovery needs one more: with less it stops at once. */
export const leastRoomBytes = 32 * 1_048_576;

const words = /No space left on device|Disk quota exceeded/;

/** Whether the disk is why a server stopped or did not start: by its message, or for lack of room for a segment. */
export async function isForWantOfRoom(directory: string, error?: unknown): Promise<boolean> {
  if (error instanceof Error && words.test(error.message)) return true;
  // A missing folder is reported when the server starts.
  const free = await freeBytesAt(directory).catch(() => undefined);
  return free !== undefined && free < leastRoomBytes;
}
