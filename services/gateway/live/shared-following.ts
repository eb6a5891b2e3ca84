import type { EventStore, Position, StoredEvent } from "../../../infra/event-store/event-store.ts";
import type { Log } from "../../../infra/process/log.ts";
import { uncorrelated } from "../../../infra/telemetry/tracing/tracing.ts";

/** One follower of the log for all listeners, started by the first of them. */
type SharedFollowing = {
  /**
   * Follows from now on. Listeners must be registered before they call this, or they may miss a change.
   * @throws if reading the end of the log throws
   */
  readonly begin: () => Promise<void>;
  readonly stop: () => void;
};

type SharedFollowingParts = {
  readonly store: Pick<EventStore, "follow" | "head">;
  readonly log: Pick<Log, "error">;
  /** Neither call may throw. */
  readonly heard: (events: readonly StoredEvent[]) => void;
  /** Following has failed; it may be started again. */
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
      log.error(
        { code: error instanceof Error ? error.name : "unknown" },
        "live updates can no longer follow the log",
      );
    }
    following = undefined;
    lost();
  }

  async function start(): Promise<void> {
    const after = await store.head();
    // The first listener may leave; following continues for the others.
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
