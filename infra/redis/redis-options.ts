import type { RedisOptions } from "ioredis";

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
