import { setTimeout as delay } from "node:timers/promises";
import type { Bell } from "./bell.ts";
import type { FollowOptions, Position, StoredEvent } from "./event-store.ts";

type Followed = {
  /** Also the event at `after`, if asked to overlap and if there is one. */
  read(after: Position, limit: number): Promise<readonly StoredEvent[]>;
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
const usualGatherMs = 20;

/**
 * Reads the log in order from a position and continues as it grows. Survives transient errors: a lost connection, a
 * starting server.
 * @throws permanent read errors
 */
export async function* followLog(
  followed: Followed,
  { after, signal, batchSize = defaultBatchSize, gatherMs = usualGatherMs }: FollowOptions,
): AsyncGenerator<readonly StoredEvent[]> {
  const ending = AbortSignal.any([signal, followed.closing]);
  let position = after;
  while (!ending.aborted) {
    const startedAt = performance.now();
    const { events, rings } = await readPatiently(followed, position, batchSize, ending);
    if (ending.aborted) return;
    const last = events.at(-1);
    const isNews = last !== undefined && last.position > position;
    if (isNews) {
      position = last.position;
      yield events;
      // A full batch may not be all there is.
      if (events.length >= batchSize) continue;
    }
    await followed.bell.waitAfter(rings, pollMs, ending);
    const leftMs = gatherMs - (performance.now() - startedAt);
    if (isNews && leftMs > 0) await delay(leftMs, undefined, { signal: ending }).catch(() => undefined);
  }
}

type Read = { readonly events: readonly StoredEvent[]; readonly rings: number };

/** Reads until it succeeds. No events, once ending. @throws permanent errors */
async function readPatiently(
  { read, bell, passes, onTrouble }: Followed,
  position: Position,
  batchSize: number,
  ending: AbortSignal,
): Promise<Read> {
  for (let pauseMs: number = retryMs.first; ; pauseMs = Math.min(pauseMs * 2, retryMs.most)) {
    const { rings } = bell;
    try {
      return { rings, events: await read(position, batchSize) };
    } catch (error) {
      if (ending.aborted) return { rings, events: [] };
      if (!passes(error)) throw error;
      onTrouble(error);
      await bell.waitAfter(bell.rings, pauseMs, ending);
      if (ending.aborted) return { rings, events: [] };
    }
  }
}
