import type { EventStore, Position, StoredEvent } from "../../../infra/event-store/event-store.ts";
import type { Log } from "../../../infra/process/log.ts";
import { uncorrelated } from "../../../infra/telemetry/tracing/correlation.ts";

/** Following the log once for all who want to hear of it, from when the first of them comes. */
export type SharedFollowing = {
  /**
   * Follows from now on. Whoever listens must be on their list before they ask, so that nothing falls between.
   * @throws whatever asking the log for its end throws
   */
  readonly begin: () => Promise<void>;
  readonly stop: () => void;
};

export type SharedFollowingParts = {
  readonly store: Pick<EventStore, "follow" | "head">;
  readonly log: Pick<Log, "error">;
  /** Neither call may throw. */
  readonly heard: (events: readonly StoredEvent[]) => void;
  /** The log can no longer be followed; it may be begun anew. */
  readonly lost: () => void;
};

export function createSharedFollowing({ store, log, heard, lost }: SharedFollowingParts): SharedFollowing {
  const stopping = new AbortController();
  const { signal } = stopping;
  let following: Promise<void> | undefined;

  async function follow(after: Position): Promise<void> {
    try {
      for await (const events of store.follow({ after, signal })) heard(events);
    } catch (error) {
      log.error({ code: error instanceof Error ? error.name : "unknown" }, "live updates lost the log");
    }
    following = undefined;
    lost();
  }

  async function start(): Promise<void> {
    const after = await store.head();
    // Whoever came first leaves, and the following goes on for others.
    if (!signal.aborted) void uncorrelated(() => follow(after));
  }

  return {
    async begin() {
      following ??= start();
      const begun = following;
      try {
        await begun;
      } catch (error) {
        if (following === begun) following = undefined;
        throw error;
      }
    },
    stop: () => stopping.abort(),
  };
}
