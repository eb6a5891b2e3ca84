import { beginning, type EventStore, type Position, type StoredEvent } from "../event-store/event-store.ts";
import type { Log } from "../log.ts";
import { type Client, inTransaction, type Pool } from "../postgres/pool.ts";
import * as leases from "./lease.ts";
import { pause } from "./pause.ts";
import { createPositionWaiters } from "./position-waiters.ts";
import { isTransientFault } from "./transient-fault.ts";

export type FollowerOptions = leases.FollowerKey & {
  store: EventStore;
  pool: Pool;
  /**
   * Does the work of some events, in order, in the transaction that also moves the checkpoint. It may be called again with
   * the same events when that transaction fails. What it throws stops the follower, unless the fault is one that passes.
   */
  process: (client: Client, events: readonly StoredEvent[]) => Promise<void>;
  /** Names this process as the holder of the lease. */
  newId: () => string;
  log?: Log;
  /** How long a silent holder keeps others out; renewed three times in that time. */
  leaseMs?: number;
  /** Most events in one transaction. */
  batchSize?: number;
};

/** `following` and `standby` (another process has the lease) are well; `stopped` is not. `fault` is a passing one, being retried. */
export type FollowerStatus = leases.FollowerKey & {
  state: "following" | "standby" | "stopped";
  position: Position;
  reason: leases.StopReason | null;
  /** Position of the event it stopped at. */
  stoppedAt: Position | null;
  fault: string | null;
};

export type Follower = {
  /** Begins in the background. A stopped follower is tried again at each start. */
  start(): void;
  /** Ends after the batch in hand and gives the lease away. */
  stop(): Promise<void>;
  status(): Promise<FollowerStatus>;
  /** Waits, at most so long, until the work up to a position is committed, here or in another process. Too many waiters: false at once. */
  caughtUpTo(position: Position, timeoutMs: number): Promise<boolean>;
};

const defaultLeaseMs = 5_000;
const defaultBatchSize = 500;
const mostWaiters = 200;
const lookEveryMs = 20;
const firstRetryMs = 100;
const slowestRetryMs = 5_000;

class Stopped extends Error {
  override name = "Stopped";
  readonly reason: leases.StopReason;
  readonly at: Position;
  constructor(reason: leases.StopReason, at: Position, cause?: unknown) {
    super(`The follower stopped at ${at || "the beginning"}: ${reason}`, { cause });
    this.reason = reason;
    this.at = at;
  }
}

/** Follows the log with a checkpoint, so that the work of each event is committed exactly once, by one process at a time. */
export function createFollower(options: FollowerOptions): Follower {
  const { store, pool, process } = options;
  const { leaseMs = defaultLeaseMs, batchSize = defaultBatchSize } = options;
  const key = { name: options.name, version: options.version };
  const holder = options.newId();
  let running: { controller: AbortController; ended: Promise<void> } | undefined;
  let holding = false;
  let fault: string | null = null;
  const waiters = createPositionWaiters({
    limit: mostWaiters,
    everyMs: lookEveryMs,
    look: async () => (await leases.readFollower(pool, key))?.position ?? beginning,
  });

  async function run(signal: AbortSignal): Promise<void> {
    let retryMs = firstRetryMs;
    while (!signal.aborted) {
      try {
        await leases.register(pool, key);
        const lease = await leases.acquire(pool, key, holder, leaseMs);
        fault = null;
        if (lease) await holdLease(lease, signal, () => (retryMs = firstRetryMs));
        else await pause(Math.min(1_000, leaseMs / 4), signal);
      } catch (error) {
        if (error instanceof Stopped) return;
        if (error instanceof leases.LeaseLost) continue;
        fault = nameOf(error);
        options.log?.warn({ follower: key, fault }, "A follower met a fault and tries again.");
        await pause(retryMs, signal);
        retryMs = Math.min(retryMs * 2, slowestRetryMs);
      }
    }
  }

  async function holdLease(lease: leases.Lease, signal: AbortSignal, onProgress: () => void): Promise<void> {
    const lost = new AbortController();
    const scope = AbortSignal.any([signal, lost.signal]);
    const renewing = renewUntil(scope, lease.fence, () => lost.abort());
    holding = true;
    try {
      await followFrom(lease, scope, onProgress);
      if (lost.signal.aborted) throw new leases.LeaseLost();
    } catch (error) {
      if (error instanceof leases.LeaseLost || isTransientFault(error)) throw error;
      if (isAbort(error) && scope.aborted) return;
      const stopped = error instanceof Stopped ? error : new Stopped("log-unreadable", lease.position, error);
      await leases.recordStop(pool, key, lease.fence, stopped.reason, stopped.at);
      options.log?.error(
        { follower: key, reason: stopped.reason, position: stopped.at, fault: nameOf(stopped.cause) },
        "A follower stopped and needs mending.",
      );
      throw stopped;
    } finally {
      holding = false;
      lost.abort();
      await renewing;
      // Failing to give the lease away only makes the next holder wait until it has run out.
      await leases.release(pool, key, lease.fence).catch(() => undefined);
    }
  }

  async function followFrom(taken: leases.Lease, signal: AbortSignal, onProgress: () => void): Promise<void> {
    const logId = await checkLog(store, taken);
    await leases.recordRunning(pool, key, taken.fence);
    let lease = taken;
    waiters.reached(lease.position);

    async function commit(events: readonly StoredEvent[]): Promise<void> {
      const last = events.at(-1);
      if (!last) return;
      await inTransaction(pool, async (client) => {
        await process(client, events);
        await leases.moveCheckpoint(client, key, lease, { event: last, logId }, leaseMs);
      });
      lease = { ...lease, position: last.position, eventId: last.id, logId };
      waiters.reached(lease.position);
      onProgress();
    }

    for await (const batch of store.follow({ after: lease.position, signal, batchSize })) {
      await commitOrFindCulprit(batch, commit, signal);
    }
  }

  async function renewUntil(signal: AbortSignal, fence: number, onLost: () => void): Promise<void> {
    while (!signal.aborted) {
      await pause(leaseMs / 3, signal);
      if (signal.aborted) return;
      try {
        await leases.renew(pool, key, fence, leaseMs);
      } catch (error) {
        // Any other fault may pass; until it does, the fence keeps this process from harm.
        if (error instanceof leases.LeaseLost) return onLost();
      }
    }
  }

  return {
    start() {
      if (running) return;
      const controller = new AbortController();
      running = { controller, ended: run(controller.signal) };
    },
    async stop() {
      running?.controller.abort();
      await running?.ended;
      running = undefined;
    },
    async status() {
      const record = await leases.readFollower(pool, key);
      const standing = holding ? "following" : "standby";
      return {
        ...key,
        state: record?.state === "stopped" ? "stopped" : standing,
        position: record?.position ?? beginning,
        reason: record?.stopReason ?? null,
        stoppedAt: record?.stopPosition ?? null,
        fault,
      };
    },
    caughtUpTo: waiters.wait,
  };
}

/** A batch that fails as a whole is tried event by event: what comes before the culprit is done, and its position is known. */
async function commitOrFindCulprit(
  batch: readonly StoredEvent[],
  commit: (events: readonly StoredEvent[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await commit(batch);
  } catch (error) {
    if (error instanceof leases.LeaseLost || isTransientFault(error)) throw error;
    const [only, ...others] = batch;
    if (only && others.length === 0) throw new Stopped("event-failed", only.position, error);
    for (const event of batch) {
      if (signal.aborted) return;
      await commitOrFindCulprit([event], commit, signal);
    }
  }
}

/**
 * Finds the checkpoint's event in the log, and answers which log it is.
 * @throws Stopped when it is not there: what was derived from it would never be put right by going on
 */
async function checkLog(store: EventStore, checkpoint: leases.Checkpoint): Promise<string> {
  const logId = await store.logId();
  if (checkpoint.position === beginning) return logId;
  if (checkpoint.logId !== logId) throw new Stopped("other-log", checkpoint.position);
  const event = await store.eventAt(checkpoint.position);
  if (event?.id !== checkpoint.eventId) throw new Stopped("checkpoint-missing", checkpoint.position);
  return logId;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** A code or a class, never the message: it may quote a row. */
function nameOf(error: unknown): string | null {
  if (!(error instanceof Error)) return error === undefined ? null : typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
