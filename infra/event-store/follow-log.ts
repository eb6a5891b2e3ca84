import type { Bell } from "./bell.ts";
import type { FollowOptions, Position, StoredEvent } from "./event-store.ts";

export type Followed = {
  readAll(after: Position, limit: number): Promise<StoredEvent[]>;
  bell: Bell;
  /** Whether the error may clear up without help; the follower then retries until it does. */
  passes(error: unknown): boolean;
  /** Aborts when the store closes. */
  closing: AbortSignal;
  onTrouble(error: unknown): void;
};

// Bells wake at once; polling covers lost ones.
const pollMs = 5000;
const retryMs = { first: 50, most: 1000 } as const;
const defaultBatchSize = 500;

/**
 * Reads the log in order from a position and continues as it grows. Survives transient errors: a lost connection, a
 * starting server.
 * @throws permanent read errors
 */
export async function* followLog(
  followed: Followed,
  { after, signal, batchSize = defaultBatchSize }: FollowOptions,
): AsyncGenerator<readonly StoredEvent[]> {
  const ending = AbortSignal.any([signal, followed.closing]);
  let position = after;
  let pauseMs: number = retryMs.first;
  while (!ending.aborted) {
    const rings = followed.bell.rings;
    let events: StoredEvent[];
    try {
      events = await followed.readAll(position, batchSize);
    } catch (error) {
      if (ending.aborted) return;
      if (!followed.passes(error)) throw error;
      followed.onTrouble(error);
      await followed.bell.waitAfter(followed.bell.rings, pauseMs, ending);
      pauseMs = Math.min(pauseMs * 2, retryMs.most);
      continue;
    }
    pauseMs = retryMs.first;
    if (ending.aborted) return;
    const last = events.at(-1);
    if (last) {
      position = last.position;
      yield events;
    }
    // A full batch may not be all there is.
    if (events.length < batchSize) await followed.bell.waitAfter(rings, pollMs, ending);
  }
}
