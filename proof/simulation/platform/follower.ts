import { setTimeout as delay } from "node:timers/promises";
import { beginning, type EventStore, type Position } from "../../../infra/event-store/event-store.ts";
import { tellingOfEnd } from "../../../infra/following/parked-retry.ts";
import type { StorageWatch } from "../../../infra/telemetry/storage/storage-watch.ts";
import { type FollowTasksDependencies, takeUp } from "../../../services/policies/following/follow-tasks.ts";
import type { Claim, Deriving } from "../../../services/policies/work/work-table.ts";
import type { MemoryWorkTable } from "../../../testing/services/memory-work-table.ts";
import type { Network } from "./network.ts";
import type { ReadModels } from "./read-models.ts";
import type { Life, VirtualTime } from "./virtual-time.ts";

const leaseMs = 3_000;
const pollMs = 10_000;
const mostEvents = 200;
/** As Postgres ends one that is idle. */
const transactionMs = 30_000;

/** The follower's row: its checkpoint, and which machine holds the lease. */
export type Follower = {
  checkpoint: Position;
  holder: string;
  heldUntilMs: number;
  /** Called when an event is appended. */
  readonly bell: Set<() => void>;
};

export const newFollower = (): Follower => ({
  checkpoint: beginning,
  holder: "",
  heldUntilMs: 0,
  bell: new Set(),
});

type Call = <T>(name: string, effect: () => Promise<T>) => Promise<T>;

/** What a batch of events comes to. `move` throws if another machine moved the checkpoint. */
type Batch = { readonly move: () => void; readonly write: () => void };

type CommitBatch = (batch: Batch, call: Call) => Promise<void>;

/** Work and checkpoint in one transaction. */
export const inOneTransaction: CommitBatch = ({ move, write }, call) =>
  call("commit", async () => {
    move();
    write();
  });

export type FollowerParts = {
  readonly time: VirtualTime;
  readonly network: Network;
  readonly follower: Follower;
  readonly rows: MemoryWorkTable;
  readonly models: ReadModels;
  readonly commit: CommitBatch;
};

type Following = {
  readonly life: Life;
  /** As this machine reaches it. */
  readonly store: EventStore;
  readonly storage: StorageWatch;
  readonly tasks: FollowTasksDependencies;
  readonly stopping: AbortSignal;
};

/** Whether the machine holds the lease. */
export const isFollowing = ({ follower, time }: FollowerParts, life: Life): boolean =>
  follower.holder === nameOf(life) && follower.heldUntilMs > time.nowMs;

const nameOf = ({ machine, life }: Life): string => `${machine.name}/${life}`;

/** Derives tasks and read models from new events while this machine holds the lease. */
export async function follow(parts: FollowerParts, following: Following): Promise<void> {
  const { follower, network } = parts;
  const { life, storage, stopping } = following;
  const me = nameOf(life);
  const stopped = new Promise<void>((resolve) => stopping.addEventListener("abort", () => resolve()));
  const call: Call = (name, effect) => network.call(life, "list", name, effect);
  let isKept = false;
  while (!stopping.aborted) {
    const moved = await followOnce().catch((error: unknown) => {
      storage.suspect(error);
      return false;
    });
    const rung = new Promise<void>((wake) => follower.bell.add(wake));
    if (!moved) await Promise.race([rung, stopped, delay(pollMs)]);
  }
  if (follower.holder === me) Object.assign(follower, { holder: "", heldUntilMs: 0 });

  async function followOnce(): Promise<boolean> {
    await free(parts, me, stopping);
    if (stopping.aborted) return true;
    if (!(await call("lease", async () => takesLease(parts, me)))) return true;
    if (!isKept) void keepLease(parts, life).finally(() => (isKept = false));
    isKept = true;
    return followed(parts, following, call);
  }
}

/**
 * Until another machine's lease has ended. Neither this nor the renewals go over the network, or they would be most of
 * a run.
 */
async function free({ follower, time }: FollowerParts, me: string, stopping: AbortSignal): Promise<void> {
  while (follower.holder !== me && follower.heldUntilMs > time.nowMs && !stopping.aborted)
    await delay(follower.heldUntilMs - time.nowMs + leaseMs / 3);
}

function takesLease({ follower, time }: FollowerParts, me: string): boolean {
  if (follower.holder !== me && follower.heldUntilMs > time.nowMs) return false;
  follower.holder = me;
  follower.heldUntilMs = time.nowMs + leaseMs;
  return true;
}

/** Renewals, until another machine has it. They fail with the network and with the machine all the same. */
async function keepLease({ follower, network, time }: FollowerParts, life: Life): Promise<void> {
  const isHolder = () => follower.holder === nameOf(life);
  while (isHolder()) {
    await delay(leaseMs / 3);
    if (isHolder() && !network.isAway(life.machine, "list", "lease"))
      follower.heldUntilMs = time.nowMs + leaseMs;
  }
}

/** One batch. False if there was nothing new. */
async function followed(
  { time, follower, rows, models, commit }: FollowerParts,
  { life, store, tasks }: Following,
  call: Call,
): Promise<boolean> {
  const { checkpoint } = follower;
  const events = await store.readAll(checkpoint, mostEvents);
  const last = events.at(-1);
  if (!last) return false;
  const changed = models.plan(events);
  const endsMs = time.nowMs + transactionMs;
  // The server ends an open transaction with its connection.
  const transaction = rows.begin(() => life.machine.life !== life.life || time.nowMs >= endsMs);
  const listing = {
    followersOf: (orderIds: readonly string[]) =>
      call<string[]>("followersOf", async () => rows.followersOf(orderIds)),
    derive: (deriving: Deriving) => call<readonly Claim[]>("derive", () => transaction.derive(deriving)),
  };
  const move = () => {
    if (follower.checkpoint !== checkpoint) throw new Error("Another machine follows the log.");
    transaction.expectOpen();
    follower.checkpoint = last.position;
  };
  const write = () => {
    transaction.commit();
    changed.write();
  };
  await tellingOfEnd(async (onEnd) => {
    try {
      await takeUp(tasks, listing, events, onEnd);
      await commit({ move, write }, call);
    } catch (error) {
      transaction.rollBack();
      throw error;
    }
  });
  return true;
}
