import { setTimeout as delay } from "node:timers/promises";
import { Redis, type RedisOptions } from "ioredis";
import { OperatorError } from "../process/operator-error.ts";

type OpenRedisOptions = {
  /** Milliseconds until a silent server counts as unreachable. */
  answerWithinMs: number;
  /** Milliseconds until a connection that says nothing is replaced. */
  replaceAfterMs?: number;
  /** Called once per outage, not at every attempt to connect. */
  onAway: () => void;
  onBack: () => void;
};

/**
 * A connection for callers that can work without an answer: a command fails at once while the server is unreachable.
 * Close it with `endAll`.
 */
export function openRedis(
  address: string,
  { answerWithinMs, replaceAfterMs = silentAfterMs, onAway, onBack }: OpenRedisOptions,
): EndingRedis {
  const client = new EndingRedis(address, { ...failFast(answerWithinMs), socketTimeout: replaceAfterMs });
  let isAway = false;
  client.on("reconnecting", () => {
    if (!isAway) onAway();
    isAway = true;
  });
  client.on("ready", () => {
    if (isAway) onBack();
    isAway = false;
  });
  return client;
}

/** Milliseconds. A longer delay would keep processes from noticing that the server is back. */
const slowestReconnectMs = 2000;

/** Milliseconds. Longer than BullMQ's workers let a command block, which is 10 s. */
const silentAfterMs = 20_000;

const shared = {
  connectTimeout: 5000,
  // Detects a machine that disappeared silently.
  keepAlive: 10_000,
  // And a connection that passes nothing any more: it would never be replaced, and workers would wait for ever.
  socketTimeout: silentAfterMs,
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 10), slowestReconnectMs),
} satisfies RedisOptions;

/**
 * For callers that can work without an answer: a command fails at once while the server is unreachable, and after
 * `answerWithinMs` while it is frozen.
 */
export function failFast(answerWithinMs: number) {
  return {
    ...shared,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    commandTimeout: answerWithinMs,
  } satisfies RedisOptions;
}

/** For workers: commands wait until the server is back, as BullMQ requires. */
export const waitForServer = { ...shared, maxRetriesPerRequest: null } satisfies RedisOptions;

type Client = Pick<Redis, "status" | "connect" | "disconnect" | "on">;

/**
 * ioredis 6.0.0, disconnected between two attempts, forgets the timer and reports nothing more: callers awaiting the
 * end, or a queued command, wait for ever. This one always ends, and so do its duplicates.
 */
export class EndingRedis extends Redis {
  readonly #duplicates: Client[] = [];

  constructor(address: string, options: Omit<RedisOptions, "replyMapping">) {
    super(address, options);
    letEnd(this);
  }

  override duplicate<Changes extends Partial<RedisOptions> | undefined = undefined>(changes?: Changes) {
    const copy = super.duplicate(changes);
    letEnd(copy);
    this.#duplicates.push(copy);
    return copy;
  }

  /** Ends it and its duplicates, whether the server is up or not; waiting commands are rejected. */
  endAll(): void {
    for (const client of [this, ...this.#duplicates]) client.disconnect();
  }
}

function letEnd(client: Client): void {
  // BullMQ listens until it has closed; later errors do not matter.
  client.on("error", () => undefined);
  const disconnect = client.disconnect.bind(client);
  client.disconnect = (reconnect = false) => {
    const isBetweenAttempts = client.status === "reconnecting" && !reconnect;
    disconnect(reconnect);
    if (!isBetweenAttempts) return;
    // Another attempt, cancelled at once, ends correctly; its failure is expected.
    client.connect().catch(() => undefined);
    disconnect();
  };
}

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
