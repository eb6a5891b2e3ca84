import { Bell } from "../../event-store/bell.ts";
import { beginning, type Position, type StoredEvent } from "../../event-store/event-store.ts";
import { type Client, inTransaction } from "../../postgres/pool.ts";
import { checkLog, nameOfError } from "../follower-faults.ts";
import type { FollowerTurn } from "../follower-turn.ts";
import * as leases from "../lease.ts";
import { retriesAtOnce, retryParked } from "../parked-retry.ts";
import * as parked from "../parked-streams.ts";
import { Steps } from "../steps.ts";
import * as membership from "./membership.ts";
import { commitTogether, type Member, type Seat, type SharedTurnParts } from "./shared-commit.ts";

const idOf = ({ name, version }: leases.FollowerKey): string => `${name} ${version}`;
const catchUpMs = 1_000;

/**
 * Work during one lease of a subscription: what its members do with a batch is one transaction, with one checkpoint. A
 * member that fails leaves, and the others do the batch again without it.
 */
export class SharedTurn {
  readonly #parts: SharedTurnParts;
  #lease: leases.Lease;
  #isChecked = false;
  readonly #seats = new Map<string, Seat>();
  readonly #steps = new Steps();
  /** Aborts when the last member leaves: the next one may be at another position. */
  #occupied = new AbortController();
  /** Rings when it moves, and when a member comes or goes. */
  readonly moved = new Bell();

  constructor(parts: SharedTurnParts, lease: leases.Lease) {
    this.#parts = parts;
    this.#lease = lease;
  }

  get position(): Position {
    return this.#lease.position;
  }

  get isEmpty(): boolean {
    return this.#seats.size === 0;
  }

  /** Aborts once it has no members. */
  get occupied(): AbortSignal {
    return this.#occupied.signal;
  }

  has(key: leases.FollowerKey): boolean {
    return this.#seats.has(idOf(key));
  }

  /** Waits for the step under way. No member joins or leaves after it. */
  end(): Promise<void> {
    return this.#steps.end();
  }

  /** Releases members that only another build knows. */
  release(known: readonly leases.FollowerKey[]): Promise<void> {
    return this.#steps.run(() =>
      this.#locked((client) => membership.leaveOthers(client, this.#parts.name, known, this.#lease)),
    );
  }

  /**
   * Admits those that are members already, or free and at the same position. The first ones decide the position.
   * Resolves to the others that are free.
   * @throws Stopped when the position is not in the log
   */
  admit(wanted: readonly Member[]): Promise<readonly leases.FollowerKey[]> {
    const { name } = this.#parts;
    return this.#steps.run(async () => {
      const without = wanted.filter((member) => !this.has(member));
      const { at, inside, free } = await this.#locked(async (client) => {
        const rows = await membership.readMembers(client, without);
        const members = rows.filter(({ subscription }) => subscription === name);
        const others = rows.filter(({ subscription, isFree }) => subscription === null && isFree);
        const isFirst = this.isEmpty && members.length === 0;
        const start = isFirst ? (others.toSorted(byPosition).at(-1) ?? this.#lease) : this.#lease;
        if (isFirst) await membership.rebase(client, name, start);
        const level = others.filter((row) => isSamePlace(row, start));
        await membership.join(client, name, level);
        return {
          at: start,
          inside: [...members, ...level],
          free: others.filter((row) => !level.includes(row)),
        };
      });
      await this.#enter(
        at,
        without.filter((member) => inside.some((row) => idOf(row) === idOf(member))),
        "retry",
      );
      return free;
    });
  }

  /** Admits a follower that holds a lease itself, once both are at the same position. */
  join(member: Member, own: FollowerTurn): Promise<boolean> {
    const hadMetNewer = own.hasMetNewer;
    return own.still(async (take) => {
      if (!(await this.#comesTo(own.lease.position))) return false;
      let fault: unknown;
      const hasJoined = await this.#steps.run(async () => {
        // What it fails at ends its own turn alone.
        const isLevel = await this.#bringUp(own, take).catch((error: unknown) => {
          fault = error;
          return false;
        });
        if (!isLevel || own.hasMetNewer !== hadMetNewer) return false;
        const at = this.isEmpty ? own.lease : this.#lease;
        await this.#locked(async (client) => {
          if (this.isEmpty) await membership.rebase(client, this.#parts.name, at);
          await membership.join(client, this.#parts.name, [{ ...member, fence: own.lease.fence }]);
        });
        await this.#enter(at, [member], "no retry");
        return true;
      });
      if (fault !== undefined) throw fault;
      return hasJoined;
    });
  }

  /** Gives members a checkpoint each, at which another process may take over. */
  dismiss(keys: readonly leases.FollowerKey[]): Promise<void> {
    return this.#steps.run(async () => {
      const leaving = keys.filter((key) => this.has(key));
      if (leaving.length > 0) await this.#giveCheckpoints(leaving);
    });
  }

  /**
   * Lets the members process some events, and moves the checkpoint past them.
   * @param during the occupation in which they were read
   * @throws LeaseLost, or an error that no member is to blame for
   */
  take(events: readonly StoredEvent[], during: AbortSignal): Promise<void> {
    return this.#steps.run(async () => {
      const last = events.at(-1);
      if (!last || during.aborted) return;
      const seats = [...this.#seats.values()];
      const { lease, failed } = await commitTogether(this.#parts, this.#lease, seats, events, last);
      this.#lease = lease;
      for (const [{ member }, cause] of failed) this.#dropFailed(member, cause);
      this.moved.ring();
    });
  }

  /** Retries the requested streams. A member that fails leaves: whether a stream was resumed may not be known. */
  async retry(): Promise<void> {
    const { store, pool, log } = this.#parts;
    const keys = [...this.#seats.values()].filter(({ member }) => member.mostParked > 0);
    const asked = await parked.toTryAgain(
      pool,
      keys.map(({ member }) => member),
      retriesAtOnce,
    );
    for (const one of asked)
      await this.#steps.run(async () => {
        const seat = this.#seats.get(idOf(one));
        if (!seat) return;
        const parts = {
          store,
          pool,
          log,
          redo: seat.member.redo,
          position: this.position,
        };
        const fence = (client: Client) => this.#move(client, this.#lease);
        try {
          if (await retryParked(one, { ...parts, fence })) seat.parked.delete(one.stream);
        } catch (error) {
          if (error instanceof leases.LeaseLost) throw error;
          await this.#giveCheckpoints([seat.member]);
          this.#dropFailed(seat.member, error);
        }
      });
  }

  async #giveCheckpoints(leaving: readonly leases.FollowerKey[]): Promise<void> {
    await this.#locked((client) => membership.leave(client, this.#parts.name, leaving, this.#lease));
    this.#forget(leaving);
  }

  #dropFailed({ name, version }: Member, cause: unknown): void {
    const key = { name, version };
    this.#forget([key]);
    this.#parts.log?.warn(
      { follower: key, fault: nameOfError(cause) },
      "follower left the subscription: it goes on by itself",
    );
    this.#parts.onFailed(key);
  }

  #forget(keys: readonly leases.FollowerKey[]): void {
    for (const key of keys) this.#seats.delete(idOf(key));
    if (this.isEmpty) this.#occupied.abort();
    this.moved.ring();
  }

  /** The streams that were parked earlier are retried once: this code may be newer. */
  async #enter(
    at: leases.Checkpoint,
    members: readonly Member[],
    retry: "retry" | "no retry",
  ): Promise<void> {
    const { pool, store } = this.#parts;
    if (members.length === 0) return;
    if (this.isEmpty) {
      this.#lease = { ...this.#lease, ...at, fence: this.#lease.fence };
      this.#isChecked = false;
      this.#occupied = new AbortController();
    }
    const streams = await parked.listParked(pool, members, Number.MAX_SAFE_INTEGER);
    for (const member of members) {
      const own = streams.filter((one) => idOf(one) === idOf(member)).map(({ stream }) => stream);
      this.#seats.set(idOf(member), { member, parked: new Set(own) });
    }
    if (streams.length > 0 && retry === "retry") await parked.askForRetry(pool, members);
    if (!this.#isChecked) this.#lease = { ...this.#lease, logId: await checkLog(store, this.#lease) };
    this.#isChecked = true;
    this.moved.ring();
  }

  /** Waits a moment until the members have come to a position. */
  async #comesTo(position: Position): Promise<boolean> {
    const deadline = AbortSignal.timeout(catchUpMs);
    while (!this.isEmpty && this.position < position && !deadline.aborted)
      await this.moved.waitAfter(this.moved.rings, catchUpMs, deadline);
    return this.isEmpty || this.position >= position;
  }

  /**
   * Brings a follower up to the members' position, or to the end of the log if there are none: one that fails cannot
   * come that far. False if it is more than a batch behind.
   */
  async #bringUp(
    own: FollowerTurn,
    take: (events: readonly StoredEvent[]) => Promise<void>,
  ): Promise<boolean> {
    const { store, batchSize } = this.#parts;
    if (!this.isEmpty && own.lease.position === this.position) return true;
    const events = await store.readAll(own.lease.position, batchSize);
    const due = this.isEmpty ? events : events.filter(({ position }) => position <= this.position);
    const isFar = this.isEmpty ? events.length === batchSize : due.at(-1)?.position !== this.position;
    if (isFar) return false;
    await take(due);
    return this.isEmpty || own.lease.position === this.position;
  }

  /** A transaction in which this process is sure to hold the subscription. */
  #locked<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { pool, name } = this.#parts;
    return inTransaction(pool, async (client) => {
      await membership.lockShared(client, name, this.#lease.fence);
      return work(client);
    });
  }

  #move(client: Client, to: leases.Checkpoint): Promise<void> {
    const { name, leaseMs } = this.#parts;
    return leases.moveCheckpoint(client, membership.sharedKey(name), this.#lease, to, leaseMs);
  }
}

const byPosition = (one: leases.Checkpoint, other: leases.Checkpoint): number =>
  one.position < other.position ? -1 : Number(one.position > other.position);

const isSamePlace = (one: leases.Checkpoint, other: leases.Checkpoint): boolean =>
  one.position === other.position &&
  (one.position === beginning || (one.eventId === other.eventId && one.logId === other.logId));
