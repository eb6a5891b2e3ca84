import type { EventStore } from "../../event-store/event-store.ts";
import type { Pool } from "../../postgres/pool.ts";
import type { Log } from "../../process/log.ts";
import type { StorageWatch } from "../../telemetry/storage/storage-watch.ts";
import type { Follower } from "../follower.ts";
import type { FollowerWatch } from "../follower-turn.ts";
import type { FollowerKey } from "../lease.ts";
import type { Work } from "../parked-retry.ts";

export type SubscriptionOptions = {
  /** Processes with the same subscribers share it: one follows, the others stand by. */
  readonly name: string;
  readonly store: EventStore;
  readonly pool: Pool;
  /** Identifies this process as the holder of a lease. */
  readonly newId: () => string;
  readonly log?: Log;
  readonly watch?: FollowerWatch;
  /** Told of transient errors instead of the log. */
  readonly storage?: Pick<StorageWatch, "suspect">;
  /** How long a silent holder blocks others (3 s). */
  readonly leaseMs?: number;
  /** Most events per transaction (500). */
  readonly batchSize?: number;
};

/** As the options of a follower. */
export type Subscribing = FollowerKey & {
  readonly process: Work;
  readonly redo?: Work;
  readonly mostParked?: number;
};

/** Reads the log once for all its subscribers. */
export type Subscription = {
  /** Adds a subscriber, which takes part between its start and its stop. */
  add(subscribing: Subscribing): Follower;
};
