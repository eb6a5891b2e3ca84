import { beginning, type EventStore, type Position, type StoredEvent } from "../event-store/event-store.ts";
import type { Log } from "../log.ts";
import { type Client, inTransaction, type Pool } from "../postgres/pool.ts";
import { checkLog, isAbort, nameOfFault, Stopped } from "./follower-faults.ts";
import { type FollowerWatch, unwatched } from "./follower-watch.ts";
import { whileHeld } from "./held-lease.ts";
import * as leases from "./lease.ts";
import { pause } from "./pause.ts";
import { createPositionWaiters, type PositionWaiters } from "./position-waiters.ts";
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
  /** Looks on. */
  watch?: FollowerWatch;
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
const mostWaiters = 200;
const lookEveryMs = 20;
const firstRetryMs = 100;
const slowestRetryMs = 5_000;

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
        await this.#takeTurn(signal);
      } catch (error) {
        if (error instanceof Stopped) return;
        if (error instanceof leases.LeaseLost) continue;
        this.#fault = nameOfFault(error);
        this.#options.log?.warn({ follower: this.#key, fault: this.#fault }, "A follower tries again.");
        await pause(this.#retryMs, signal);
        this.#retryMs = Math.min(this.#retryMs * 2, slowestRetryMs);
      }
    }
  }

  /** Waits for the lease a while, or follows for as long as it is held. */
  async #takeTurn(signal: AbortSignal): Promise<void> {
    const { pool } = this.#options;
    await leases.register(pool, this.#key);
    const lease = await leases.acquire(pool, this.#key, this.#holder, this.#leaseMs);
    this.#fault = null;
    if (!lease) return pause(Math.min(1_000, this.#leaseMs / 4), signal);
    this.#holding = true;
    try {
      const held = { pool, key: this.#key, lease, leaseMs: this.#leaseMs };
      await whileHeld(held, signal, (scope) => this.#followOrStop(lease, scope));
      // A store that was closed ends the following at once, each time.
      await pause(firstRetryMs, signal);
    } finally {
      this.#holding = false;
    }
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
    const { store, pool, batchSize = 500 } = this.#options;
    const logId = await checkLog(store, taken);
    await leases.recordRunning(pool, this.#key, taken.fence);
    this.#waiters.reached(taken.position);
    let lease: leases.Lease = { ...taken, logId };
    for await (const batch of store.follow({ after: lease.position, signal, batchSize })) {
      lease = await this.#commitOrFindCulprit(lease, batch);
    }
  }

  /** A batch that fails as a whole is tried event by event: what comes before the culprit is done, and its position is known. */
  async #commitOrFindCulprit(from: leases.Lease, batch: readonly StoredEvent[]): Promise<leases.Lease> {
    let lease = from;
    try {
      return await this.#commit(lease, batch);
    } catch (error) {
      if (error instanceof leases.LeaseLost || isTransientFault(error)) throw error;
      const [first, ...others] = batch;
      if (first && others.length === 0) throw new Stopped("event-failed", first.position, error);
    }
    for (const event of batch) lease = await this.#commitOrFindCulprit(lease, [event]);
    return lease;
  }

  async #commit(from: leases.Lease, events: readonly StoredEvent[]): Promise<leases.Lease> {
    const last = events.at(-1);
    if (!last) return from;
    const to = { ...from, position: last.position, eventId: last.id };
    const { pool, process, watch = unwatched } = this.#options;
    await watch.batch(this.#key, events, () =>
      inTransaction(pool, async (client) => {
        await process(client, events);
        await leases.moveCheckpoint(client, this.#key, from, to, this.#leaseMs);
      }),
    );
    this.#waiters.reached(to.position);
    this.#retryMs = firstRetryMs;
    return to;
  }
}
