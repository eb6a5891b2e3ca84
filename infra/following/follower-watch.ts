import type { StoredEvent } from "../event-store/event-store.ts";
import type { FollowerKey } from "./lease.ts";

/** Looks on while followers work. */
export type FollowerWatch = {
  /** This process has such a follower, whether or not it holds the lease. */
  made(key: FollowerKey): void;
  /** Does the work of one batch, which may throw and be done again. */
  batch(key: FollowerKey, events: readonly StoredEvent[], work: () => Promise<void>): Promise<void>;
};

/** Looks away. */
export const unwatched: FollowerWatch = { made: () => undefined, batch: (_key, _events, work) => work() };
