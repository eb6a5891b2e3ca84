import { beginning, type EventStore, type Position } from "../../infra/event-store/event-store.ts";
import { createFollower, type FollowerStatus, usualMostParked } from "../../infra/following/follower.ts";
import type { FollowerWatch } from "../../infra/following/follower-turn.ts";
import { inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import type { Log } from "../../infra/process/log.ts";
import type { StorageWatch } from "../../infra/storage/storage-watch.ts";
import type { Projection } from "./projection.ts";
import { tablesOf } from "./read-model-tables.ts";
import { lockSchemas } from "./version-uses.ts";

/** What every projection needs to run. */
export type RunnerParts = {
  pool: Pool;
  store: EventStore;
  newId: () => string;
  log?: Log;
  watch?: FollowerWatch;
  storage?: StorageWatch;
  leaseMs?: number;
  batchSize?: number;
  mostParked?: number;
};

/** `behindMs` is the age of the oldest event that is not folded yet; 0 when there is none. */
export type ProjectionHealth = {
  name: string;
  version: number;
  state: "ready" | "catching-up" | "stopped";
  behindMs: number;
  /** Why it stands still; of one that stands in another log `behindMs` is 0. */
  reason: string | null;
};

/** One projection, kept up to date by this process or another. */
export type RunningProjection = {
  readonly name: string;
  /** Makes the tables, so that queries find them even before anything was folded. */
  prepare(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
  /** `ready` from the moment it has reached the end that the log had when this was first asked. */
  health(now: Date): Promise<ProjectionHealth>;
  /** At most so long, and at most 200 at a time; false means that what is read may be stale. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
};

/**
 * Runs a projection. Folding and checkpoint share a transaction, so each event is folded once. A stream that cannot be folded, or whose row
 * the table refuses, stays as it was until it has been put right; the others go on.
 */
export function runProjection<State>(projection: Projection<State>, parts: RunnerParts): RunningProjection {
  const { pool, store } = parts;
  const { name, version } = projection;
  const tables = tablesOf(projection);
  const follower = createFollower({
    mostParked: usualMostParked,
    ...parts,
    name,
    version,
    process: tables.apply,
    redo: tables.refold,
  });
  let endAtFirst: Position | undefined;
  let hasCaughtUp = false;

  async function behindMs(position: Position, now: Date): Promise<number> {
    const [oldest] = await store.readAll(position, 1);
    return oldest ? Math.max(0, now.getTime() - Date.parse(oldest.recordedAt)) : 0;
  }

  return {
    name,
    prepare: () =>
      inTransaction(pool, async (client) => {
        await lockSchemas(client);
        await tables.create(client);
      }),
    start: () => follower.start(),
    stop: () => follower.stop(),
    waitFor: (position, timeoutMs) => follower.caughtUpTo(position, timeoutMs),
    async health(now) {
      const status = await follower.status();
      endAtFirst ??= await store.head();
      // Back at the beginning: it was dropped under this process, and what it had reached is gone.
      hasCaughtUp = status.position >= endAtFirst || (hasCaughtUp && status.position !== beginning);
      const standing = hasCaughtUp ? "ready" : "catching-up";
      const state = status.state === "stopped" ? "stopped" : standing;
      return {
        name,
        version,
        state,
        behindMs: isElsewhere(status) ? 0 : await behindMs(status.position, now),
        reason: reasonOf(status),
      };
    },
  };
}

/** Its place is in another log, in which this one has no position. */
const isElsewhere = ({ reason }: FollowerStatus): boolean =>
  reason === "other-log" || reason === "log-unreadable";

function reasonOf(status: FollowerStatus): string | null {
  return status.reason ?? status.fault;
}
