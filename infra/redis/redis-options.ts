import type { RedisOptions } from "ioredis";

/** Milliseconds. Longer waits for a server that is away would keep work from noticing that it is back. */
const slowestReconnectMs = 2000;

const shared = {
  connectTimeout: 5000,
  // Notices a machine that vanished without a word.
  keepAlive: 10_000,
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 10), slowestReconnectMs),
} satisfies RedisOptions;

/**
 * For whoever asks and can go on without an answer: with the server away a command fails at once instead of waiting in
 * memory, with a frozen server after `answerWithinMs`.
 */
export function failFast(answerWithinMs: number) {
  return {
    ...shared,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    commandTimeout: answerWithinMs,
  } satisfies RedisOptions;
}

/** For whoever waits for work: commands wait until the server is back. BullMQ demands it of its workers. */
export const waitForServer = { ...shared, maxRetriesPerRequest: null } satisfies RedisOptions;
