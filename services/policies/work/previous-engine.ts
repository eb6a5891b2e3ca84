import { acquire } from "../../../infra/following/lease.ts";
import { leaveLapsed } from "../../../infra/following/subscription/membership.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { createRounds } from "../rounds.ts";
import { type Clock, realClock } from "./worker-lease.ts";

// For one release: workers of the previous build act on the table "duties", by waits of their own. To be removed with
// that table.

const previous = { name: "duties", version: 8 } as const;
/** One for all workers of this build and later ones. */
const holder = "4f0d3c1e-7f55-4b0e-9f0d-6a8f5e1c2b90";
const everySeconds = 5;
const leaseMs = 30_000;
/** A mail of theirs may still be under way when their lease is free. */
const underWayMs = 20_000;

/** Keeps workers of the previous build from acting while those of this build run, and these until then. */
export type PreviousEngine = {
  readonly mayAct: () => boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** @param onTurn called when this process may act */
export function standInForPrevious(
  pool: Pool,
  onTurn: () => void,
  onFault: (error: unknown) => void,
  { sinceBootMs, pause }: Clock = realClock,
): PreviousEngine {
  const rounds = createRounds(everySeconds, () => round().catch(onFault), pause);
  let actsFromMs = Number.POSITIVE_INFINITY;
  let heldUntilMs = Number.NEGATIVE_INFINITY;

  async function round(): Promise<void> {
    const { rows } = await pool.query<{ isOurs: boolean }>(
      `select coalesce(lease_holder = $3, false) as "isOurs" from followers where name = $1 and version = $2`,
      [previous.name, previous.version, holder],
    );
    const [found] = rows;
    const askedMs = sinceBootMs();
    if (found) {
      await leaveLapsed(pool, [previous]);
      if (!(await acquire(pool, previous, holder, leaseMs))) return;
      // As a visit of theirs keeps a task from their sweeps.
      await pool.query(
        "update duties set look_at = now() + interval '30 seconds' where look_at <= now() + interval '15 seconds'",
      );
    }
    heldUntilMs = found ? askedMs + leaseMs : Number.POSITIVE_INFINITY;
    const waitMs = !found || found.isOurs ? 0 : underWayMs;
    if (waitMs === 0 && actsFromMs !== Number.POSITIVE_INFINITY) return;
    actsFromMs = askedMs + waitMs;
    void pause(waitMs, rounds.stopping).then(() => rounds.stopping.aborted || onTurn());
  }

  return {
    mayAct: () => sinceBootMs() >= actsFromMs && sinceBootMs() < heldUntilMs,
    start: async () => {
      await round().catch(onFault);
      rounds.start();
    },
    stop: async () => {
      await rounds.stop();
      // Workers of this build that go on hold it further. The holder stays: the next one of this build need not wait.
      await pool
        .query(
          `update followers set lease_until = clock_timestamp()
           where name = $1 and version = $2 and lease_holder = $3 and not exists (select from workers)`,
          [previous.name, previous.version, holder],
        )
        .catch(onFault);
    },
  };
}
