import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../process/free-port.ts";
import { OperatorError } from "../process/operator-error.ts";
import type { Place } from "./embedded-process.ts";
import {
  endOrphans,
  endServer,
  findRunning,
  isAlive,
  launch,
  type Running,
  watchOver,
} from "./embedded-process.ts";

/** For some ten seconds on an idle machine. A busy one gets as many tries, not as much time. */
const mostTries = 50;
/** Processes of a killed server notice its death within this time, unless they never will. */
const orphansEndWithinMs = 2_000;
/** Long, because recovery after a crash reads the whole write-ahead log. */
const startTimeoutMs = 300_000;
/** A stopping process releases its server within this time. */
const rivalEndsWithinMs = 2000;
/** One process owns an embedded server; this lock, on its separate connection, dies with it. */
export const ownerLock = 7_306_520;
const wrongPassword = "28P01";

const onItsWayOut = "a server is still ending";
const wasEnded = "it ended without a message";
const memoryInUse = "pre-existing shared memory";
/**
 * Transient reasons. After a kill -9 of both, the old server's children may hold the memory for some seconds; a
 * competing process may be starting or stopping; a port may be taken for a moment.
 */
const passing = new RegExp(
  [
    onItsWayOut,
    memoryInUse,
    "lock file .* (already exists|is empty)",
    "could not create any TCP/IP sockets",
    // A competing process has ended the server that we had started.
    wasEnded,
    "due to administrator command",
  ].join("|"),
);

/** A server with our lock. `ended` resolves when the connection that holds the lock is gone. */
export type Owned = Running & {
  owner: pg.Client;
  ended: Promise<void>;
  unwatch: () => void;
};

export function addressOf({ password }: Place, port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

/**
 * Starts the server of a data folder and takes its lock. One that a killed process left running is ended first: what
 * watched over that process may still be about to end it, and it runs with that process's settings.
 * @param wanted the port that clients already use: our server on it is kept if only our connection was lost
 * @throws OperatorError when another owner is alive, or the server does not start; the signal's reason when cancelled
 */
export async function own(
  place: Place,
  settings: readonly string[],
  wanted: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Owned> {
  let tries = 0;
  let inUseSince: number | undefined;
  for (;;) {
    signal?.throwIfAborted();
    if (wanted === undefined && (await endLeftRunning(place, signal))) tries = 0;
    const taken = await tryToOwn(place, settings, wanted, signal);
    if (typeof taken === "object") return taken;
    tries += 1;
    if (tries === mostTries || !passing.test(taken)) {
      throw new OperatorError(
        `The embedded Postgres in ${place.directory} does not start: ${taken}. More may be in server.log there.`,
      );
    }
    if (taken.includes(memoryInUse)) {
      inUseSince ??= Date.now();
      if (Date.now() - inUseSince > orphansEndWithinMs) endOrphans(place.cluster);
    }
    await delay(200);
  }
}

/**
 * Ends the server of a killed process. @returns whether there was one
 * @throws OperatorError when its owner is alive, or it does not end
 */
async function endLeftRunning(place: Place, signal: AbortSignal | undefined): Promise<boolean> {
  const found = findRunning(place.cluster);
  // Its lock keeps others from starting a server meanwhile.
  if (!found || !(await connectAsOwner(place, found, signal))) return false;
  try {
    await endServer(found.pid);
  } catch (cause) {
    throw new OperatorError(
      `The Postgres that a killed process left running in ${place.directory} does not end: end process ${found.pid} and start again.`,
      { cause },
    );
  }
  return true;
}

/** One attempt; returns the reason when it fails. */
async function tryToOwn(
  place: Place,
  settings: readonly string[],
  wanted: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Owned | string> {
  const found = findRunning(place.cluster);
  if (found) {
    if (found.port !== wanted) return onItsWayOut;
    const owner = await connectAsOwner(place, found, signal);
    return owner ? { ...found, ...owner, unwatch: watchOver(found.pid) } : onItsWayOut;
  }
  const port = wanted ?? (await freePort());
  const { pid, reason } = launch(place, port, settings);
  if (pid === undefined) return "its program could not be run";
  const unwatch = watchOver(pid);
  try {
    const owner = await connectAsOwner(place, { pid, port }, signal);
    if (owner) return { pid, port, ...owner, unwatch };
  } catch (error) {
    // Another start may have kept this server meanwhile: it is then not ours to stop.
    if (signal?.aborted) await endServer(pid);
    unwatch();
    throw error;
  }
  unwatch();
  return reason() ?? wasEnded;
}

/** A connection that holds the owner's lock; undefined when the server ended first. */
async function connectAsOwner(
  place: Place,
  running: Running,
  signal: AbortSignal | undefined,
): Promise<{ owner: pg.Client; ended: Promise<void> } | undefined> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    const owner = new pg.Client({
      connectionString: addressOf(place, running.port),
      connectionTimeoutMillis: 2000,
      application_name: "certificates owner",
      keepAlive: true,
    });
    const ended = new Promise<void>((done) => {
      owner.on("error", () => done()).on("end", () => done());
    });
    try {
      await owner.connect();
      await takeLock(owner);
      return { owner, ended };
    } catch (error) {
      await owner.end().catch(() => undefined);
      if (error instanceof OperatorError) throw error;
      if (error instanceof Error && "code" in error && error.code === wrongPassword) throw wrongKey(place);
    }
    if (!isAlive(running.pid)) return undefined;
    await delay(25);
  }
  return undefined;
}

/** @throws OperatorError when another process keeps it: a stopping one gets a moment to release it */
async function takeLock(owner: pg.Client): Promise<void> {
  const deadline = Date.now() + rivalEndsWithinMs;
  for (;;) {
    const { rows } = await owner.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [
      ownerLock,
    ]);
    if (rows[0]?.mine) return;
    if (Date.now() > deadline) {
      throw new OperatorError(
        "Another process is already running on this data folder: stop it, or give this one its own DATA_DIR, KEY_DIR and PORT.",
      );
    }
    await delay(100);
  }
}

function wrongKey({ directory }: Place): OperatorError {
  return new OperatorError(
    `The database in ${directory} does not accept the password in the file beside it: both must come from the same folder; restore the right file.`,
  );
}
