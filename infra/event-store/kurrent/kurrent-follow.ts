import type { FollowOptions, StoredEvent } from "../event-store.ts";
import { EventStoreUnreachable } from "../event-store-unreachable.ts";
import { type FeedOptions, KurrentFeed } from "./kurrent-feed.ts";

/** What following needs of the store. */
export type FollowedLog = FeedOptions & {
  /** A subscription that says nothing for so long is opened anew. */
  silenceMs: number;
  /** Aborts when the store closes. */
  closing: AbortSignal;
  onTrouble(error: unknown): void;
};

const retryMs = { first: 50, most: 1000 } as const;
const defaultBatchSize = 500;

/**
 * Follows the log from a position, live once caught up. Survives what passes: a lost connection, a server that starts, being dropped.
 * @throws RangeError for what is no position of this log; whatever a subscription fails with that will not pass
 */
export async function* followKurrent(
  log: FollowedLog,
  { after, signal, batchSize = defaultBatchSize }: FollowOptions,
): AsyncGenerator<readonly StoredEvent[]> {
  const ending = AbortSignal.any([signal, log.closing]);
  const feed = new KurrentFeed(log, after);
  let pauseMs: number = retryMs.first;
  try {
    while (!ending.aborted) {
      const { rings } = feed.bell;
      const events = feed.take(batchSize);
      if (events.length > 0) {
        pauseMs = retryMs.first;
        yield events;
        continue;
      }
      const fault = feed.takeFault();
      if (fault !== undefined) {
        tellOrThrow(fault, log);
        await feed.bell.waitAfter(feed.bell.rings, pauseMs, ending);
        pauseMs = Math.min(pauseMs * 2, retryMs.most);
      } else {
        feed.open();
        await feed.bell.waitAfter(rings, log.silenceMs, ending);
        feed.closeWhenSilent(log.silenceMs);
      }
    }
  } finally {
    feed.close();
  }
}

function tellOrThrow(fault: unknown, log: FollowedLog): void {
  if (!(fault instanceof EventStoreUnreachable)) throw fault;
  log.onTrouble(fault);
}
