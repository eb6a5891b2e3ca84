import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { OperatorError } from "../process/operator-error.ts";

/** How long a starting server may take; longer would hide a wrong address. */
const defaultPatienceMs = 10_000;
const answerWithinMs = 5000;
/** BullMQ's minimum. */
const leastVersion = [6, 2] as const;

/**
 * Connects once to the operator's Redis, so that a wrong REDIS_URL is reported clearly.
 * @throws OperatorError when it is unreachable, refuses us, is too old, or may evict keys
 */
export async function reachRedis(
  address: string,
  signal?: AbortSignal,
  patienceMs = defaultPatienceMs,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await ask(address);
    if (!(answer instanceof Error)) return expectSuitable(address, answer);
    if (!isStarting(answer) || Date.now() > deadline) throw unreachable(address, answer);
    await delay(500);
  }
}

/** The output of INFO, or the error. */
async function ask(address: string): Promise<string | Error> {
  const client = new Redis(address, {
    lazyConnect: true,
    connectTimeout: answerWithinMs,
    commandTimeout: answerWithinMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // connect rejects only with "connection is closed"; listeners get the reason.
  let reason: Error | undefined;
  client.on("error", (error: Error) => {
    reason = error;
  });
  try {
    await client.connect();
    return await client.info();
  } catch (error) {
    return reason ?? (error instanceof Error ? error : new Error(String(error)));
  } finally {
    client.disconnect();
  }
}

function expectSuitable(address: string, info: string): void {
  const [major = 0, minor = 0] = (/^redis_version:(\S+)/m.exec(info)?.[1] ?? "").split(".").map(Number);
  if (major < leastVersion[0] || (major === leastVersion[0] && minor < leastVersion[1])) {
    throw new OperatorError(
      `REDIS_URL (${nameOf(address)}) is a server of version ${major}.${minor}, and the job queue needs ${leastVersion.join(".")} or newer: upgrade it, or leave REDIS_URL out.`,
    );
  }
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? "noeviction";
  if (policy !== "noeviction") {
    throw new OperatorError(
      `REDIS_URL (${nameOf(address)}) is a server that drops keys when memory is short (maxmemory-policy ${policy}), and a queue that lost some of its keys stops working: set maxmemory-policy to noeviction.`,
    );
  }
}

function isStarting(error: Error): boolean {
  return ["ECONNREFUSED", "EAI_AGAIN"].includes(codeOf(error)) || error.message.startsWith("LOADING");
}

/** By code, or by the first word of the server's answer. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there: start the server, or set REDIS_URL to where it is",
  ENOTFOUND: "its host is unknown: correct REDIS_URL",
  EAI_AGAIN: "its host could not be looked up: check the network, or correct REDIS_URL",
  WRONGPASS: "the server refuses the user or the password: correct REDIS_URL",
  NOAUTH: "the server requires a password: add it to REDIS_URL",
  LOADING: "the server is still reading its data: wait, and start again",
};

function unreachable(address: string, error: Error): OperatorError {
  const reason =
    reasons[codeOf(error)] ??
    reasons[error.message.split(" ")[0] ?? ""] ??
    `it answers "${error.message}": fix that, or set REDIS_URL to another server`;
  return new OperatorError(`REDIS_URL (${nameOf(address)}) cannot be used: ${reason}.`, { cause: error });
}

/** Host, port and database, without the password. */
function nameOf(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host}${pathname}`;
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
