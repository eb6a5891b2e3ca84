import { setTimeout as delay } from "node:timers/promises";
import type { EventStore, Position, StoredEvent } from "../event-store/event-store.ts";
import { type Client, inTransaction, type Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { Stopped } from "./follower-faults.ts";
import type { FollowerKey } from "./lease.ts";
import * as leases from "./lease.ts";
import {
  faultBehind,
  isNotOfEvents,
  type OnEnd,
  retriesAtOnce,
  retryParked,
  tellingOfEnd,
  type Work,
} from "./parked-retry.ts";
import * as parked from "./parked-streams.ts";
import { Steps } from "./steps.ts";
import { workAround } from "./work-around.ts";

type TurnParts = {
  readonly store: Pick<EventStore, "readStream">;
  readonly pool: Pool;
  readonly key: leases.FollowerKey;
  readonly leaseMs: number;
  readonly process: Work;
  /** Reprocesses a whole stream, part of which was processed before. */
  readonly redo: Work;
  /** Limit on parked streams; 0 stops the follower at the first event that fails. */
  readonly mostParked: number;
  readonly watch: FollowerWatch;
  readonly log: Log | undefined;
};

/** Work during one lease: batch after batch, with retries of parked streams in between. */
export class FollowerTurn {
  readonly #parts: TurnParts;
  #lease: leases.Lease;
  readonly #parked = new Set<string>();
  /** No other event of a stream may be processed while it catches up. */
  readonly #steps = new Steps();
  #hasMetNewer = false;

  private constructor(parts: TurnParts, lease: leases.Lease) {
    this.#parts = parts;
    this.#lease = lease;
  }

  /** A new holder of the lease retries parked streams once: its code may be newer. */
  static async begin(parts: TurnParts, lease: leases.Lease): Promise<FollowerTurn> {
    const turn = new FollowerTurn(parts, lease);
    if (parts.mostParked === 0) return turn;
    for (const { stream } of await parked.parkedOf(parts.pool, parts.key)) turn.#parked.add(stream);
    if (turn.#parked.size > 0) await parked.askForRetry(parts.pool, [parts.key]);
    return turn;
  }

  get lease(): leases.Lease {
    return this.#lease;
  }

  /** It parked a stream that another build might be able to read. */
  get hasMetNewer(): boolean {
    return this.#hasMetNewer;
  }

  /** Processes some events and moves the checkpoint past them. @throws Stopped, LeaseLost, or a transient error */
  take(events: readonly StoredEvent[]): Promise<void> {
    return this.#steps.run(() => this.#take(events));
  }

  /** Stands still during some work, but for what the work itself makes it take. */
  still<T>(work: (take: (events: readonly StoredEvent[]) => Promise<void>) => Promise<T>): Promise<T> {
    return this.#steps.run(() => work((events) => this.#take(events)));
  }

  /** Retries the requested streams. @throws LeaseLost, or a transient error */
  async retry(): Promise<void> {
    const { store, pool, log, redo, key, mostParked } = this.#parts;
    if (mostParked === 0) return;
    for (const one of await parked.toTryAgain(pool, [key], retriesAtOnce))
      await this.#steps.run(async () => {
        const parts = { store, pool, log, redo, position: this.#lease.position };
        const isResumed = await retryParked(one, { ...parts, fence: (client) => this.#fence(client) });
        if (isResumed) this.#parked.delete(one.stream);
      });
  }

  /** Deletes the follower's row: its work is complete. */
  finish(): Promise<void> {
    return leases.remove(this.#parts.pool, this.#parts.key, this.#lease.fence);
  }

  async #take(events: readonly StoredEvent[]): Promise<void> {
    const { position } = this.#lease;
    await workAround(
      events.filter((event) => event.position > position),
      (some) => this.#commit(some),
      (event, error) => this.#parkOrStop(event, error),
      (error) => !isNotOfEvents(error),
    );
  }

  async #commit(events: readonly StoredEvent[]): Promise<void> {
    const { process, watch, key } = this.#parts;
    const due = this.#parked.size === 0 ? events : events.filter(({ stream }) => !this.#parked.has(stream));
    await watch.batch(key, due, () =>
      this.#moveWith(events.at(-1), (client, onEnd) =>
        due.length > 0 ? process(client, due, onEnd) : Promise.resolve(),
      ),
    );
  }

  async #parkOrStop(event: StoredEvent, error: unknown): Promise<void> {
    const { key, mostParked, log } = this.#parts;
    const reason = mostParked > 0 ? parked.parkingReasonOf(error) : undefined;
    if (reason === undefined) throw new Stopped("event-failed", event.position, error);
    if (this.#parked.size >= mostParked) throw new Stopped("too-many-parked", event.position, error);
    await this.#moveWith(event, (client) => parked.park(client, key, event, reason));
    const { stream, position } = event;
    this.#parked.add(stream);
    this.#hasMetNewer ||= isOfCode(reason);
    log?.error(
      { follower: key, stream, position, reason, fault: faultBehind(error) },
      "ALARM: a stream was parked: it triggers no tasks until repaired",
    );
  }

  async #moveWith(
    last: StoredEvent | undefined,
    work: (client: Client, onEnd: OnEnd) => Promise<void>,
  ): Promise<void> {
    if (!last) return;
    const { pool, key, leaseMs } = this.#parts;
    const to = { ...this.#lease, position: last.position, eventId: last.id };
    await tellingOfEnd((onEnd) =>
      inTransaction(pool, async (client) => {
        await work(client, onEnd);
        await leases.moveCheckpoint(client, key, this.#lease, to, leaseMs);
      }),
    );
    this.#lease = to;
  }

  /** @throws LeaseLost when another process holds the lease */
  async #fence(client: Client): Promise<void> {
    const { key, leaseMs } = this.#parts;
    await leases.moveCheckpoint(client, key, this.#lease, this.#lease, leaseMs);
  }
}

/** A subscription that a follower joins as soon as both are at the same position. */
export type Joining = {
  /** Tries to join; false while the subscription is elsewhere, or held by another process. */
  join(turn: FollowerTurn): Promise<boolean>;
  reached(position: Position): void;
};

/** Why following ended by itself: it joined the subscription, another process holds the lease, or its work is done. */
export type Outcome = "joined" | "taken" | "stopped" | "done";

/** Another build may understand a type, shape or order of events that this one does not. */
const isOfCode = (reason: parked.ParkingReason): boolean =>
  reason === "unknown-type" || reason === "invalid-event" || reason === "fold-failed";

/** Waits, less when the signal aborts. Never throws. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
}

/** Observes followers at work. */
export type FollowerWatch = {
  /** A follower was created in this process, whether or not it holds the lease. */
  made(key: FollowerKey): void;
  /** Runs the work of one batch, which may throw and be repeated. */
  batch(key: FollowerKey, events: readonly StoredEvent[], work: () => Promise<void>): Promise<void>;
};

export const unwatched: FollowerWatch = { made: () => undefined, batch: (_key, _events, work) => work() };
