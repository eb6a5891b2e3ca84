import { EventStoreUnreachable } from "../event-store/event-store.ts";
import { MirrorUnreachable } from "../key-ring/key-ring.ts";
import { lockNotAvailable, takesNoWrites } from "../postgres/postgres-errors.ts";

const socketFaults: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** A full disk for keys: once there is room, the work is the same. */
const diskFaults: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** Connection, rollback, resources, operator: the SQLSTATE classes unrelated to the statement itself. */
const passingClasses: ReadonlySet<string> = new Set(["08", "40", "53", "57"]);
const idleInTransaction = "25P03";

/** pg gives these no code: a connection lost or silent during a query, or none available in time. */
const wordsOfLostConnections =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** ioredis gives these no code: a connection that is down, was lost during a command, or does not answer. */
const wordsOfRedisAway =
  /^(Stream isn't writeable and enableOfflineQueue options is false|Reached the max retries per request limit|Connection is closed\.|Command timed out)/;
/** How Redis' answers begin while it loads, changes its master, runs a long script, or is full. */
const refusalsOfRedis =
  /^(LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|BUSY|OOM|MISCONF|NOREPLICAS|UNKILLABLE) /;

/** Whether a retry may succeed without a fix: a lost connection, a restart, a deadlock, a full disk. */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof EventStoreUnreachable || error instanceof MirrorUnreachable) return true;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isTransientError);
  const code = "code" in error ? error.code : undefined;
  if (typeof code !== "string") {
    if (error.name === "ReplyError") return refusalsOfRedis.test(error.message);
    return wordsOfLostConnections.test(error.message) || wordsOfRedisAway.test(error.message);
  }
  return (
    socketFaults.has(code) ||
    diskFaults.has(code) ||
    code === lockNotAvailable ||
    code === idleInTransaction ||
    code === takesNoWrites ||
    (code.length === 5 && passingClasses.has(code.slice(0, 2)))
  );
}
