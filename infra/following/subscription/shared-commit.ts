import type { EventStore, StoredEvent } from "../../event-store/event-store.ts";
import { type Client, inDerivedTransaction, type Pool } from "../../postgres/pool.ts";
import type { Log } from "../../process/log.ts";
import type { FollowerWatch } from "../follower-turn.ts";
import * as leases from "../lease.ts";
import { type OnEnd, tellingOfEnd, type Work } from "../parked-retry.ts";
import { isTransientError } from "../transient-fault.ts";
import { leave, sharedKey } from "./membership.ts";

export type Member = leases.FollowerKey & {
  readonly process: Work;
  readonly redo: Work;
  readonly mostParked: number;
};

export type SharedTurnParts = {
  /** Of the subscription. */
  readonly name: string;
  readonly store: EventStore;
  readonly pool: Pool;
  readonly leaseMs: number;
  readonly batchSize: number;
  readonly watch: FollowerWatch;
  readonly log: Log | undefined;
  /** A member failed, and has a checkpoint of its own since. */
  readonly onFailed: (key: leases.FollowerKey) => void;
};

/** A member, and the streams that it skips. */
export type Seat = { readonly member: Member; readonly parked: Set<string> };

/** The work of a member failed: the transaction was rolled back. */
class MemberFailed extends Error {
  override name = "MemberFailed";
  readonly seat: Seat;
  constructor(seat: Seat, cause: unknown) {
    super("A member of the subscription failed.", { cause });
    this.seat = seat;
  }
}

type Committed = {
  readonly lease: leases.Lease;
  /** Those that failed, and why: they have left. */
  readonly failed: ReadonlyMap<Seat, unknown>;
};

/**
 * Commits the work of all members on some events, and moves the checkpoint past them. When a member fails, the
 * transaction is rolled back, and done again without it.
 * @throws LeaseLost, or an error that no member is to blame for
 */
export async function commitTogether(
  parts: SharedTurnParts,
  lease: leases.Lease,
  seats: readonly Seat[],
  events: readonly StoredEvent[],
  last: StoredEvent,
): Promise<Committed> {
  const to = { ...lease, position: last.position, eventId: last.id };
  const failed = new Map<Seat, unknown>();
  let hasPassed: Seat | undefined;
  for (;;) {
    try {
      await commit(parts, lease, to, seats, [...failed.keys()], events);
      return { lease: to, failed };
    } catch (error) {
      if (!(error instanceof MemberFailed)) throw error;
      const { seat, cause } = error;
      // A deadlock, or a lost connection: all try again, once.
      if (hasPassed !== seat && isTransientError(cause)) hasPassed = seat;
      else failed.set(seat, cause);
    }
  }
}

function commit(
  { pool, name, leaseMs, watch }: SharedTurnParts,
  from: leases.Lease,
  to: leases.Lease,
  seats: readonly Seat[],
  failed: readonly Seat[],
  events: readonly StoredEvent[],
): Promise<void> {
  const leaving = failed.map(({ member }) => member);
  const working = seats.filter((seat) => !failed.includes(seat));
  return tellingOfEnd((onEnd) =>
    inDerivedTransaction(pool, async (client) => {
      for (const seat of working) await work(client, seat, events, watch, onEnd);
      if (leaving.length > 0) await leave(client, name, leaving, from);
      await leases.moveCheckpoint(client, sharedKey(name), from, to, leaseMs);
    }),
  );
}

async function work(
  client: Client,
  seat: Seat,
  events: readonly StoredEvent[],
  watch: FollowerWatch,
  onEnd: OnEnd,
): Promise<void> {
  const { member, parked } = seat;
  const due = parked.size === 0 ? events : events.filter(({ stream }) => !parked.has(stream));
  if (due.length === 0) return;
  try {
    await watch.batch(member, due, () => member.process(client, due, onEnd));
  } catch (cause) {
    throw new MemberFailed(seat, cause);
  }
}
