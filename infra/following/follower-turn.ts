import { setTimeout as delay } from "node:timers/promises";
import type { EventStore, StoredEvent } from "../event-store/event-store.ts";
import { StreamUnreadable } from "../event-store/stream-unreadable.ts";
import { type Client, inTransaction, type Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { nameOfFault, Stopped } from "./follower-faults.ts";
import type { FollowerKey } from "./lease.ts";
import * as leases from "./lease.ts";
import * as parked from "./parked-streams.ts";
import { isTransientFault } from "./transient-fault.ts";
import { workAround } from "./work-around.ts";

export type Work = (client: Client, events: readonly StoredEvent[]) => Promise<void>;

export type TurnParts = {
  readonly store: Pick<EventStore, "readStream">;
  readonly pool: Pool;
  readonly key: leases.FollowerKey;
  readonly leaseMs: number;
  readonly process: Work;
  /** Does the work of a whole stream, of which some was done before. */
  readonly redo: Work;
  /** Most streams that are parked; 0 stops the follower at the first event that it cannot go on with. */
  readonly mostParked: number;
  readonly watch: FollowerWatch;
  readonly log: Log | undefined;
};

/** Retried in one go. */
const retriesAtOnce = 20;

/** What one holding of the lease does: batch after batch, and between two of them the streams that are to be tried again. */
export class FollowerTurn {
  readonly #parts: TurnParts;
  #lease: leases.Lease;
  readonly #parked = new Set<string>();
  #inHand: Promise<void> = Promise.resolve();
  #hasMetNewer = false;

  private constructor(parts: TurnParts, lease: leases.Lease) {
    this.#parts = parts;
    this.#lease = lease;
  }

  /** Whoever takes the lease tries what is parked once more: its code may be newer. */
  static async begin(parts: TurnParts, lease: leases.Lease): Promise<FollowerTurn> {
    const turn = new FollowerTurn(parts, lease);
    if (parts.mostParked === 0) return turn;
    for (const { stream } of await parked.parkedOf(parts.pool, parts.key)) turn.#parked.add(stream);
    if (turn.#parked.size > 0) await parked.askForRetry(parts.pool, [parts.key]);
    return turn;
  }

  get position() {
    return this.#lease.position;
  }

  /** It parked a stream that another build might be able to read. */
  get hasMetNewer(): boolean {
    return this.#hasMetNewer;
  }

  /** Does the work of some events and moves the checkpoint behind them. @throws Stopped, LeaseLost, or a fault that passes */
  take(events: readonly StoredEvent[]): Promise<void> {
    return this.#alone(() =>
      workAround(
        events,
        (some) => this.#commit(some),
        (event, error) => this.#parkOrStop(event, error),
        (error) => !passes(error),
      ),
    );
  }

  /** Tries what was asked for. @throws LeaseLost, or a fault that passes */
  async retry(): Promise<void> {
    const { pool, key, mostParked } = this.#parts;
    if (mostParked === 0) return;
    for (const one of await parked.toTryAgain(pool, key, retriesAtOnce))
      await this.#alone(() => this.#retryOne(one));
  }

  /** Takes the follower's row away: there is nothing left for it to do. */
  finish(): Promise<void> {
    return leases.remove(this.#parts.pool, this.#parts.key, this.#lease.fence);
  }

  /** Nothing of a stream may come in while it is being caught up with. */
  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#inHand.then(work);
    this.#inHand = done.catch(() => undefined); // Its caller has the reason.
    return done;
  }

  async #commit(events: readonly StoredEvent[]): Promise<void> {
    const { process, watch, key } = this.#parts;
    const due = this.#parked.size === 0 ? events : events.filter(({ stream }) => !this.#parked.has(stream));
    await watch.batch(key, due, () =>
      this.#moveWith(events.at(-1), (client) => (due.length > 0 ? process(client, due) : Promise.resolve())),
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

  /** The whole stream as far as this follower has come: what was done of it before may have been what was wrong. */
  async #retryOne(one: parked.ParkedStream): Promise<void> {
    const { store, pool, key, redo, log } = this.#parts;
    const { stream } = one;
    try {
      const events = await store.readStream(stream);
      if (!events.some(({ id }) => id === one.eventId)) return await this.#noteTry(one, "chain-broken");
      const due = events.filter(({ position }) => position <= this.#lease.position);
      await inTransaction(pool, async (client) => {
        await redo(client, due);
        await parked.unpark(client, key, stream);
        await this.#fence(client);
      });
      this.#parked.delete(stream);
      log?.info({ follower: key, stream }, "a parked stream goes on");
    } catch (error) {
      if (passes(error)) throw error;
      await this.#noteTry(one, parked.parkingReasonOf(error) ?? one.reason, error);
    }
  }

  async #noteTry(one: parked.ParkedStream, reason: parked.ParkingReason, error?: unknown): Promise<void> {
    const { pool, key, log } = this.#parts;
    await inTransaction(pool, async (client) => {
      await parked.noteTry(client, one, reason);
      await this.#fence(client);
    });
    log?.warn(
      { follower: key, stream: one.stream, reason, fault: faultBehind(error) },
      "a parked stream was tried again and stays parked",
    );
  }

  async #moveWith(last: StoredEvent | undefined, work: (client: Client) => Promise<void>): Promise<void> {
    if (!last) return;
    const { pool, key, leaseMs } = this.#parts;
    const to = { ...this.#lease, position: last.position, eventId: last.id };
    await inTransaction(pool, async (client) => {
      await work(client);
      await leases.moveCheckpoint(client, key, this.#lease, to, leaseMs);
    });
    this.#lease = to;
  }

  /** @throws LeaseLost when another process follows by now */
  async #fence(client: Client): Promise<void> {
    const { key, leaseMs } = this.#parts;
    await leases.moveCheckpoint(client, key, this.#lease, this.#lease, leaseMs);
  }
}

/** What made a stream unreadable says more than that it is. */
const faultBehind = (error: unknown): string | null =>
  nameOfFault(error instanceof StreamUnreadable && error.cause !== undefined ? error.cause : error);

const passes = (error: unknown): boolean => error instanceof leases.LeaseLost || isTransientFault(error);

/** Another build may know the type, the shape or the order of events that this one does not. */
const isOfCode = (reason: parked.ParkingReason): boolean =>
  reason === "unknown-type" || reason === "invalid-event" || reason === "fold-failed";

/** Waits, or less when the signal aborts. Never throws. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
}

/** Looks on while followers work. */
export type FollowerWatch = {
  /** This process has such a follower, whether or not it holds the lease. */
  made(key: FollowerKey): void;
  /** Does the work of one batch, which may throw and be done again. */
  batch(key: FollowerKey, events: readonly StoredEvent[], work: () => Promise<void>): Promise<void>;
};

/** Looks away. */
export const unwatched: FollowerWatch = { made: () => undefined, batch: (_key, _events, work) => work() };
