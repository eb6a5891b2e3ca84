import { beginning, type EventStore, type Position } from "../../infra/event-store/event-store.ts";
import { type FollowerStatus, usualMostParked } from "../../infra/following/follower.ts";
import type { Subscription } from "../../infra/following/subscription/subscribing.ts";
import { inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import type { Projection } from "./projection.ts";
import { tablesOf } from "./read-model-tables.ts";
import { lockSchemas } from "./version-uses.ts";

export type RunnerParts = {
  pool: Pool;
  store: EventStore;
  subscription: Subscription;
};

/** `behindMs` is the age of the oldest event not folded yet; 0 when there is none. */
export type ProjectionHealth = {
  name: string;
  version: number;
  state: "ready" | "catching-up" | "stopped";
  behindMs: number;
  /** Stop reason. `behindMs` is 0 when the checkpoint belongs to another log. */
  reason: string | null;
};

/** A projection kept up to date by this process or another. */
export type RunningProjection = {
  readonly name: string;
  /** Creates the tables, so that queries work even before the first fold. */
  prepare(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
  /** `ready` once it has reached the end the log had at the first call. */
  health(now: Date): Promise<ProjectionHealth>;
  /** Waits for a position; at most 200 callers wait at a time. False means that reads may be stale. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
};

/**
 * Runs a projection. Rows and checkpoint share a transaction, so each event is folded once. A stream that cannot be
 * folded, or whose row the table refuses, stays unchanged until fixed; the others continue.
 */
export function runProjection<State>(projection: Projection<State>, parts: RunnerParts): RunningProjection {
  const { pool, store, subscription } = parts;
  const { name, version } = projection;
  const tables = tablesOf(projection);
  const follower = subscription.add({
    mostParked: usualMostParked,
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
      // Back at the beginning: it was dropped under this process, and its progress is lost.
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

/** Its checkpoint is in another log, where it has no position. */
const isElsewhere = ({ reason }: FollowerStatus): boolean =>
  reason === "other-log" || reason === "log-unreadable";

function reasonOf(status: FollowerStatus): string | null {
  return status.reason ?? status.fault;
}
