import { Redis, type RedisOptions } from "ioredis";

type OpenRedisOptions = {
  /** Milliseconds until a silent server counts as unreachable. */
  answerWithinMs: number;
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
  { answerWithinMs, onAway, onBack }: OpenRedisOptions,
): EndingRedis {
  const client = new EndingRedis(address, failFast(answerWithinMs));
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

const shared = {
  connectTimeout: 5000,
  // Detects a machine that disappeared silently.
  keepAlive: 10_000,
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
