import { EventStoreUnreachable } from "./event-store-unreachable.ts";

/**
 * What a promise answers, if it does so in time. The promise itself goes on unheard.
 * @throws EventStoreUnreachable after `mostMs`
 */
export async function within<Result>(mostMs: number, promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined); // It may fail when nobody waits any more.
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new EventStoreUnreachable(`No answer within ${mostMs} ms.`)), mostMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
