import { beginning, type EventStore, type Position } from "../event-store/event-store.ts";
import type { Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import type { StorageWatch } from "../storage/storage-watch.ts";
import { checkLog, isAbort, nameOfFault, Stopped } from "./follower-faults.ts";
import { FollowerTurn, type FollowerWatch, pause, unwatched, type Work } from "./follower-turn.ts";
import { whileHeld } from "./held-lease.ts";
import * as leases from "./lease.ts";
import { createPositionWaiters, type PositionWaiters } from "./position-waiters.ts";
import { isTransientFault } from "./transient-fault.ts";

export type FollowerOptions = leases.FollowerKey & {
  store: EventStore;
  pool: Pool;
  /**
   * Does the work of some events, in order, in the transaction that also moves the checkpoint. It may be called again with
   * the same events: when that transaction fails, and when a stream that was parked is tried again.
   */
  process: Work;
  /** Does the work of a whole stream that was parked, of which some was done before; `process` unless told. */
  redo?: Work;
  /**
   * Most streams that wait until they are put right, while the follower goes on with the others; one more stops it. 0, unless told: it stops
   * at the first event that its work fails at. Faults that pass stop nothing, and those that say nothing about the event stop it always.
   */
  mostParked?: number;
  /** It works through the log as that stands, and is done for good: its row, which somebody else made, goes. */
  endsAtHead?: boolean;
  /** Names this process as the holder of the lease. */
  newId: () => string;
  log?: Log;
  /** Looks on. */
  watch?: FollowerWatch;
  /** Hears of faults that pass, in the place of the log. */
  storage?: Pick<StorageWatch, "suspect">;
  /** How long a silent holder keeps others out (3 s). */
  leaseMs?: number;
  /** Most events in one transaction (500). */
  batchSize?: number;
};

/** `following` and `standby` (another process may have the lease) are well; `stopped` is not. */
export type FollowerStatus = leases.FollowerKey & {
  state: "following" | "standby" | "stopped";
  position: Position;
  reason: leases.StopReason | null;
  /** Position of the event it stopped at. */
  stoppedAt: Position | null;
  /** Code of a passing fault that this process is retrying. */
  fault: string | null;
};

export type Follower = {
  /** Begins in the background. A stopped follower is tried again at each start. */
  start(): void;
  /** Ends after the batch in hand and gives the lease away. */
  stop(): Promise<void>;
  status(): Promise<FollowerStatus>;
  /**
   * Waits, at most so long, until the work up to a position is committed, here or in another process. At most 200 wait at a
   * time; for one more the answer is false at once.
   */
  caughtUpTo(position: Position, timeoutMs: number): Promise<boolean>;
};

/** A holder that was killed is missed for at most this and the fourth of it at which others ask: within 5 s somebody follows again. */
const usualLeaseMs = 3_000;
/** More than these have one cause, and it is in none of them. */
export const usualMostParked = 1_000;
/** Newer code is given the chance so often to read what this code cannot. */
const stepAsideEveryMs = 30_000;
const mostWaiters = 200;
const lookEveryMs = 20;
const firstRetryMs = 100;
/** Longer would be felt once the storage is back. */
const slowestRetryMs = 1_000;

/** Follows the log with a checkpoint: the work of each event is committed exactly once, by one process at a time. */
export function createFollower(options: FollowerOptions): Follower {
  options.watch?.made({ name: options.name, version: options.version });
  return new LogFollower(options);
}

class LogFollower implements Follower {
  readonly #options: FollowerOptions;
  readonly #key: leases.FollowerKey;
  readonly #holder: string;
  readonly #leaseMs: number;
  readonly #waiters: PositionWaiters;
  #running: { controller: AbortController; ended: Promise<void> } | undefined;
  #holding = false;
  #fault: string | null = null;
  #retryMs = firstRetryMs;
  /** Others may try what this code cannot read. */
  #stepsAside = false;
  #steppedAsideAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#key = { name: options.name, version: options.version };
    this.#holder = options.newId();
    this.#leaseMs = options.leaseMs ?? usualLeaseMs;
    this.#waiters = createPositionWaiters({
      limit: mostWaiters,
      everyMs: lookEveryMs,
      look: async () => (await leases.readFollower(options.pool, this.#key))?.position ?? beginning,
    });
  }

  start(): void {
    if (this.#running) return;
    const controller = new AbortController();
    this.#running = { controller, ended: this.#run(controller.signal) };
  }

  async stop(): Promise<void> {
    this.#running?.controller.abort();
    await this.#running?.ended;
    this.#running = undefined;
  }

  async status(): Promise<FollowerStatus> {
    const record = await leases.readFollower(this.#options.pool, this.#key);
    const standing = this.#holding ? "following" : "standby";
    return {
      ...this.#key,
      state: record?.state === "stopped" ? "stopped" : standing,
      position: record?.position ?? beginning,
      reason: record?.stopReason ?? null,
      stoppedAt: record?.stopPosition ?? null,
      fault: this.#fault,
    };
  }

  caughtUpTo(position: Position, timeoutMs: number): Promise<boolean> {
    return this.#waiters.wait(position, timeoutMs);
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if ((await this.#takeTurn(signal)) === "done") return;
      } catch (error) {
        if (error instanceof Stopped) return;
        if (error instanceof leases.LeaseLost) continue;
        this.#fault = nameOfFault(error);
        this.#report(error);
        await pause(this.#retryMs, signal);
        this.#retryMs = Math.min(this.#retryMs * 2, slowestRetryMs);
      }
    }
  }

  #report(error: unknown): void {
    const { storage, log } = this.#options;
    if (storage && isTransientFault(error)) storage.suspect(error);
    else log?.warn({ follower: this.#key, fault: this.#fault }, "A follower tries again.");
  }

  /** Waits for the lease a while, or follows for as long as it is held. */
  async #takeTurn(signal: AbortSignal): Promise<"done" | undefined> {
    const { pool, endsAtHead = false } = this.#options;
    if (!endsAtHead) await leases.register(pool, this.#key);
    const lease = await leases.acquire(pool, this.#key, this.#holder, this.#leaseMs);
    this.#fault = null;
    if (!lease) {
      if (endsAtHead && !(await leases.readFollower(pool, this.#key))) return "done";
      await pause(this.#askEveryMs, signal);
      return undefined;
    }
    this.#holding = true;
    try {
      const held = { pool, key: this.#key, lease, leaseMs: this.#leaseMs };
      await whileHeld(held, signal, (scope) => this.#followOrStop(lease, scope));
    } finally {
      this.#holding = false;
    }
    // A store that was closed ends the following at once, each time.
    await pause(this.#stepsAside ? 2 * this.#askEveryMs : firstRetryMs, signal);
    this.#stepsAside = false;
    return undefined;
  }

  async #followOrStop(lease: leases.Lease, signal: AbortSignal): Promise<void> {
    try {
      await this.#follow(lease, signal);
    } catch (error) {
      if (isAbort(error) && signal.aborted) return;
      if (error instanceof leases.LeaseLost || isTransientFault(error)) throw error;
      const stopped = error instanceof Stopped ? error : new Stopped("log-unreadable", lease.position, error);
      const { reason, at } = stopped;
      await leases.recordStop(this.#options.pool, this.#key, lease.fence, reason, at);
      this.#options.log?.error(
        { follower: this.#key, reason, position: at, fault: nameOfFault(stopped.cause) },
        "A follower stopped and needs mending.",
      );
      throw stopped;
    }
  }

  async #follow(taken: leases.Lease, signal: AbortSignal): Promise<void> {
    const { store, pool, process, redo = process, mostParked = 0, watch = unwatched, log } = this.#options;
    const logId = await checkLog(store, taken);
    await leases.recordRunning(pool, this.#key, taken.fence);
    this.#waiters.reached(taken.position);
    const parts = {
      store,
      pool,
      key: this.#key,
      leaseMs: this.#leaseMs,
      process,
      redo,
      mostParked,
      watch,
      log,
    };
    const turn = await FollowerTurn.begin(parts, { ...taken, logId });
    if (mostParked === 0) return this.#takeBatches(turn, signal);
    await firstFault(signal, [
      (scope) => this.#takeBatches(turn, scope),
      (scope) => this.#retryWhenAsked(turn, scope),
    ]);
  }

  async #takeBatches(turn: FollowerTurn, signal: AbortSignal): Promise<void> {
    const { store, batchSize = 500, endsAtHead = false } = this.#options;
    const end = endsAtHead ? await store.head() : undefined;
    if (end !== undefined && turn.position >= end) return turn.finish();
    for await (const batch of store.follow({ after: turn.position, signal, batchSize })) {
      await turn.take(batch);
      this.#waiters.reached(turn.position);
      this.#retryMs = firstRetryMs;
      if (end !== undefined && turn.position >= end) return turn.finish();
      if (turn.hasMetNewer && performance.now() - this.#steppedAsideAtMs >= stepAsideEveryMs) {
        this.#steppedAsideAtMs = performance.now();
        this.#stepsAside = true;
        return;
      }
    }
  }

  async #retryWhenAsked(turn: FollowerTurn, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await turn.retry();
      await pause(this.#askEveryMs, signal);
    }
  }

  get #askEveryMs(): number {
    return Math.min(1_000, this.#leaseMs / 4);
  }
}

/** Does several things until one of them ends, and ends the others with it. @throws what the first of them threw */
async function firstFault(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const ending = new AbortController();
  const scope = AbortSignal.any([signal, ending.signal]);
  const faults: unknown[] = [];
  await Promise.all(
    works.map(async (work) => {
      try {
        await work(scope);
      } catch (error) {
        if (!(isAbort(error) && scope.aborted)) faults.push(error);
      } finally {
        ending.abort();
      }
    }),
  );
  if (faults.length > 0) throw faults[0];
}
