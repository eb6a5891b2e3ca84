import { EventStoreUnreachable } from "../event-store/kurrent/kurrent-errors.ts";
import { MirrorUnreachable } from "../key-ring/key-ring.ts";

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

/** A disk with keys that has no room: somebody makes some, or does not, but the work is the same afterwards. */
const diskFaults: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** Connection, rollback, resources, operator: the classes of SQLSTATE that say nothing about the statement itself. */
const passingClasses: ReadonlySet<string> = new Set(["08", "40", "53", "57"]);
const lockNotAvailable = "55P03";
const idleInTransaction = "25P03";

/** pg gives these no code: a connection that ended under a query, or none to be had in time. */
const wordsOfLostConnections =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** ioredis gives these no code either: a connection that is down, that went down under a command, or that does not answer. */
const wordsOfRedisAway =
  /^(Stream isn't writeable and enableOfflineQueue options is false|Reached the max retries per request limit|Connection is closed\.|Command timed out)/;
/** First words of what Redis answers while it loads, changes its master, runs a long script, or cannot take more. */
const refusalsOfRedis =
  /^(LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|BUSY|OOM|MISCONF|NOREPLICAS|UNKILLABLE) /;

/** Whether trying again later can succeed without anybody mending anything: a lost connection, a restart, a deadlock, a full disk. */
export function isTransientFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof EventStoreUnreachable || error instanceof MirrorUnreachable) return true;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isTransientFault);
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
    (code.length === 5 && passingClasses.has(code.slice(0, 2)))
  );
}
