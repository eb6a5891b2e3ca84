import { beginning, type EventStore, type Position } from "../event-store/event-store.ts";
import type { Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import type { StorageWatch } from "../telemetry/storage/storage-watch.ts";
import {
  checkLog,
  firstFault,
  firstRetryMs,
  isAbort,
  nameOfError,
  Stopped,
  slower,
} from "./follower-faults.ts";
import {
  FollowerTurn,
  type FollowerWatch,
  type Joining,
  type Outcome,
  pause,
  unwatched,
} from "./follower-turn.ts";
import { askEveryMs, usualLeaseMs, whileHeld } from "./held-lease.ts";
import * as leases from "./lease.ts";
import type { Work } from "./parked-retry.ts";
import { createPositionWaiters, type PositionWaiters } from "./position-waiters.ts";
import { leaveLapsed } from "./subscription/membership.ts";
import { isTransientError } from "./transient-fault.ts";

export type FollowerOptions = leases.FollowerKey & {
  store: EventStore;
  pool: Pool;
  /**
   * Processes events in order, in the transaction that also moves the checkpoint. May be called again with the same
   * events: when that transaction fails, or when a parked stream is retried.
   */
  process: Work;
  /** Reprocesses a whole parked stream, part of which was processed before; defaults to `process`. */
  redo?: Work;
  /**
   * Limit on parked streams, which wait for a fix while the follower continues with the others; one more stops it. 0 by
   * default: it stops at the first event that fails. Transient errors never stop it, and errors unrelated to the event
   * always do.
   */
  mostParked?: number;
  /** Processes the log up to its head once, then deletes its row, which another process made. */
  endsAtHead?: boolean;
  /** Identifies this process as the holder of the lease. */
  newId: () => string;
  log?: Log;
  watch?: FollowerWatch;
  /** Told of transient errors instead of the log. */
  storage?: Pick<StorageWatch, "suspect">;
  /** How long a silent holder blocks others (3 s). */
  leaseMs?: number;
  /** Most events per transaction (500). */
  batchSize?: number;
};

/** `following` and `standby` (another process may hold the lease) are healthy; `stopped` is not. */
export type FollowerStatus = leases.FollowerKey & {
  state: "following" | "standby" | "stopped";
  position: Position;
  reason: leases.StopReason | null;
  /** Position of the event where it stopped. */
  stoppedAt: Position | null;
  /** Code of a transient error that this process is retrying. */
  fault: string | null;
};

export type Follower = {
  /** Starts in the background. A stopped follower is retried at each start. */
  start(): void;
  /** Stops after the current batch and releases the lease. */
  stop(): Promise<void>;
  status(): Promise<FollowerStatus>;
  /** Whether this process holds the lease. */
  readonly isFollowing: boolean;
  /**
   * Waits until the work up to a position is committed, here or in another process; false on timeout. At most 200 wait
   * at a time; one more gets false at once.
   */
  caughtUpTo(position: Position, timeoutMs: number): Promise<boolean>;
};

/** More parked streams than this must have a common cause elsewhere. */
export const usualMostParked = 1_000;
/** How often newer code gets a chance to read events unknown to this code. */
const stepAsideEveryMs = 30_000;

/** Follows the log with a checkpoint: each event is processed exactly once, by one process at a time. */
export function createFollower(options: FollowerOptions): Follower {
  options.watch?.made({ name: options.name, version: options.version });
  return new LogFollower(options);
}

export class LogFollower implements Follower {
  readonly #options: FollowerOptions;
  readonly #joining: Joining | undefined;
  readonly #key: leases.FollowerKey;
  readonly #holder: string;
  readonly #leaseMs: number;
  readonly #waiters: PositionWaiters;
  #running: { controller: AbortController; ended: Promise<Outcome> } | undefined;
  isFollowing = false;
  #hasJoined = false;
  /** Code of a transient error that is being retried. */
  fault: string | null = null;
  #retryMs = firstRetryMs;
  /** Lets other processes try events that this code cannot read. */
  #stepsAside = false;
  #steppedAsideAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: FollowerOptions, joining?: Joining) {
    this.#options = options;
    this.#joining = joining;
    this.#key = { name: options.name, version: options.version };
    this.#holder = options.newId();
    this.#leaseMs = options.leaseMs ?? usualLeaseMs;
    this.#waiters = createPositionWaiters(
      async () => (await leases.readFollower(options.pool, this.#key))?.position ?? beginning,
    );
  }

  start(): void {
    void this.run();
  }

  /** Follows until stopped, or until it ends by itself. */
  run(): Promise<Outcome> {
    if (this.#running) return this.#running.ended;
    const controller = new AbortController();
    this.#hasJoined = false;
    const ended = this.#run(controller.signal);
    this.#running = { controller, ended };
    return ended;
  }

  async stop(): Promise<void> {
    this.#running?.controller.abort();
    await this.#running?.ended;
    this.#running = undefined;
  }

  async status(): Promise<FollowerStatus> {
    const record = await leases.readFollower(this.#options.pool, this.#key);
    const standing = this.isFollowing ? "following" : "standby";
    return {
      ...this.#key,
      state: record?.state === "stopped" ? "stopped" : standing,
      position: record?.position ?? beginning,
      reason: record?.stopReason ?? null,
      stoppedAt: record?.stopPosition ?? null,
      fault: this.fault,
    };
  }

  caughtUpTo(position: Position, timeoutMs: number): Promise<boolean> {
    return this.#waiters.wait(position, timeoutMs);
  }

  async #run(signal: AbortSignal): Promise<Outcome> {
    while (!signal.aborted) {
      try {
        const outcome = await this.#takeTurn(signal);
        if (outcome !== undefined) return this.#end(outcome);
      } catch (error) {
        if (this.#hasJoined) return this.#end("joined");
        if (error instanceof Stopped) return "stopped";
        if (error instanceof leases.LeaseLost) continue;
        this.fault = nameOfError(error);
        this.#report(error);
        await pause(this.#retryMs, signal);
        this.#retryMs = slower(this.#retryMs);
      }
    }
    return "done";
  }

  /** It may be run again. */
  #end(outcome: Outcome): Outcome {
    this.#running = undefined;
    return outcome;
  }

  #report(error: unknown): void {
    const { storage, log } = this.#options;
    if (storage && isTransientError(error)) storage.suspect(error);
    else log?.warn({ follower: this.#key, fault: this.fault }, "follower retrying");
  }

  /** Waits for the lease, or follows while holding it. */
  async #takeTurn(signal: AbortSignal): Promise<Outcome | undefined> {
    const { pool, endsAtHead = false } = this.#options;
    if (!endsAtHead) await leases.register(pool, this.#key);
    const lease = await leases.acquire(pool, this.#key, this.#holder, this.#leaseMs);
    this.fault = null;
    if (!lease) {
      if (this.#joining) return "taken";
      if (endsAtHead && !(await leases.readFollower(pool, this.#key))) return "done";
      await leaveLapsed(pool, [this.#key]);
      await pause(askEveryMs(this.#leaseMs), signal);
      return undefined;
    }
    this.isFollowing = true;
    try {
      const held = { pool, key: this.#key, lease, leaseMs: this.#leaseMs };
      await whileHeld(held, signal, (scope) => this.#followOrStop(lease, scope));
    } finally {
      this.isFollowing = false;
    }
    if (this.#hasJoined) return "joined";
    // A closed store ends following at once, each time. Another process looks twice before it takes what is free.
    await pause(this.#stepsAside ? 3 * askEveryMs(this.#leaseMs) : firstRetryMs, signal);
    this.#stepsAside = false;
    return undefined;
  }

  async #followOrStop(lease: leases.Lease, signal: AbortSignal): Promise<void> {
    try {
      await this.#follow(lease, signal);
    } catch (error) {
      if (isAbort(error) && signal.aborted) return;
      if (this.#hasJoined || error instanceof leases.LeaseLost || isTransientError(error)) throw error;
      const stopped = error instanceof Stopped ? error : new Stopped("log-unreadable", lease.position, error);
      const { reason, at } = stopped;
      await leases.recordStop(this.#options.pool, this.#key, lease.fence, reason, at);
      this.#options.log?.error(
        { follower: this.#key, reason, position: at, fault: nameOfError(stopped.cause) },
        "follower stopped; needs attention",
      );
      throw stopped;
    }
  }

  async #follow(taken: leases.Lease, signal: AbortSignal): Promise<void> {
    const { store, pool, process, redo = process, mostParked = 0, watch = unwatched, log } = this.#options;
    const logId = await checkLog(store, taken);
    await leases.recordRunning(pool, this.#key, taken.fence);
    this.#reached(taken.position);
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
    await firstFault(signal, [
      (scope) => this.#takeBatches(turn, scope),
      ...(mostParked === 0 ? [] : [(scope: AbortSignal) => this.#retryWhenAsked(turn, scope)]),
      ...(this.#joining ? [(scope: AbortSignal) => this.#joinOnceLevel(turn, scope)] : []),
    ]);
  }

  async #takeBatches(turn: FollowerTurn, signal: AbortSignal): Promise<void> {
    const { store, batchSize = 500, endsAtHead = false } = this.#options;
    const end = endsAtHead ? await store.head() : undefined;
    if (end !== undefined && turn.lease.position >= end) return turn.finish();
    for await (const batch of store.follow({ after: turn.lease.position, signal, batchSize })) {
      await turn.take(batch);
      this.#reached(turn.lease.position);
      this.#retryMs = firstRetryMs;
      if (end !== undefined && turn.lease.position >= end) return turn.finish();
      if (this.#mustStepAside(turn)) return;
    }
  }

  async #joinOnceLevel(turn: FollowerTurn, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#hasJoined = (await this.#joining?.join(turn)) ?? false;
      if (this.#hasJoined || this.#mustStepAside(turn)) return;
      this.#reached(turn.lease.position);
      await pause(askEveryMs(this.#leaseMs), signal);
    }
  }

  #reached(position: Position): void {
    this.#waiters.reached(position);
    this.#joining?.reached(position);
  }

  #mustStepAside(turn: FollowerTurn): boolean {
    const now = performance.now();
    if (!turn.hasMetNewer || now - this.#steppedAsideAtMs < stepAsideEveryMs) return false;
    this.#steppedAsideAtMs = now;
    this.#stepsAside = true;
    return true;
  }

  async #retryWhenAsked(turn: FollowerTurn, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await turn.retry();
      await pause(askEveryMs(this.#leaseMs), signal);
    }
  }
}
