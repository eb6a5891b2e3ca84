import { Bell } from "../../event-store/bell.ts";
import type { Position } from "../../event-store/event-store.ts";
import type { Follower } from "../follower.ts";
import { firstFault, firstRetryMs, isAbort, nameOfError, Stopped, slower } from "../follower-faults.ts";
import { type FollowerTurn, pause, unwatched } from "../follower-turn.ts";
import { askEveryMs, usualLeaseMs, whileHeld } from "../held-lease.ts";
import * as leases from "../lease.ts";
import { isTransientError } from "../transient-fault.ts";
import {
  leaveLapsed,
  type MemberRow,
  readMembers,
  readsPositions,
  registerAll,
  sharedKey,
} from "./membership.ts";
import { SharedTurn } from "./shared-turn.ts";
import { Subscriber } from "./subscriber.ts";
import type { Subscribing, Subscription, SubscriptionOptions } from "./subscribing.ts";

/** Processes of one name take turns; a process without some of its subscribers leaves those to others. */
export function createSubscription(options: SubscriptionOptions): Subscription {
  return new LogSubscription(options);
}

const idleMs = 60_000;

class LogSubscription implements Subscription {
  readonly #options: SubscriptionOptions;
  readonly #key: leases.FollowerKey;
  readonly #holder: string;
  readonly #leaseMs: number;
  readonly #subscribers: Subscriber[] = [];
  /** Rings when there is something to see to. */
  readonly #bell = new Bell();
  #running: { controller: AbortController; ended: Promise<void> } | undefined;
  #turn: SharedTurn | undefined;
  #isStopped = false;
  #isRetryAsked = false;
  #hasLostLease = false;
  #fault: string | null = null;
  #retryMs = firstRetryMs;
  #free: ReadonlySet<Subscriber> = new Set();
  #leaving: Promise<void> | undefined;
  readonly #positionOf: (key: leases.FollowerKey) => Promise<Position>;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#key = sharedKey(options.name);
    this.#holder = options.newId();
    this.#leaseMs = options.leaseMs ?? usualLeaseMs;
    this.#positionOf = readsPositions(options.pool, () => this.#subscribers.map(({ key }) => key));
  }

  add(subscribing: Subscribing): Follower {
    const { process, redo = process, mostParked = 0, ...key } = subscribing;
    this.#options.watch?.made(key);
    const subscriber = new Subscriber({
      pool: this.#options.pool,
      member: { ...key, process, redo, mostParked },
      follower: { ...this.#options, ...key, process, redo, mostParked },
      isMember: (one) => this.#turn?.has(one) ?? false,
      join: (it, turn) => this.#join(it, turn),
      start: (it) => this.#start(it),
      stop: (it) => this.#stop(it),
      positionOf: this.#positionOf,
      fault: () => this.#fault,
    });
    this.#subscribers.push(subscriber);
    return subscriber;
  }

  #start(subscriber: Subscriber): void {
    if (subscriber.stage !== "off") return;
    subscriber.stage = "waiting";
    this.#bell.ring();
    if (this.#running) return;
    const controller = new AbortController();
    // In a moment, together with those that are started now too.
    const ended = Promise.resolve().then(() => this.#run(controller.signal));
    this.#running = { controller, ended };
  }

  /** Those that are stopped at the same time leave in one transaction. */
  #stop(subscriber: Subscriber): Promise<void> {
    if (subscriber.stage === "off") return subscriber.leaving ?? Promise.resolve();
    subscriber.stage = "off";
    this.#leaving ??= Promise.resolve().then(() => {
      this.#leaving = undefined;
      return this.#letGo(this.#subscribers.filter(({ leaving }) => leaving !== undefined));
    });
    subscriber.leaving = this.#leaving;
    return this.#leaving;
  }

  async #letGo(leaving: readonly Subscriber[]): Promise<void> {
    await Promise.all(leaving.map(({ own }) => own.stop()));
    if (this.#in("off").length < this.#subscribers.length)
      // Those that could not leave are seen to again.
      await this.#turn?.dismiss(leaving.map(({ key }) => key)).catch(() => this.#bell.ring());
    else {
      // The members stay members: the next holder of the lease takes over all of them.
      const running = this.#running;
      this.#running = undefined;
      running?.controller.abort();
      await running?.ended;
    }
    for (const subscriber of leaving) subscriber.leaving = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#takeTurn(signal);
      } catch (error) {
        this.#hasLostLease = error instanceof leases.LeaseLost;
        if (error instanceof Stopped) this.#isStopped = true;
        else if (!this.#hasLostLease) await this.#putOff(error, signal);
      }
    }
  }

  async #putOff(error: unknown, signal: AbortSignal): Promise<void> {
    const { storage, log } = this.#options;
    this.#fault = nameOfError(error);
    if (storage && isTransientError(error)) storage.suspect(error);
    else log?.warn({ subscription: this.#key.name, fault: this.#fault }, "subscription retrying");
    await pause(this.#retryMs, signal);
    this.#retryMs = slower(this.#retryMs);
  }

  /** Follows while holding the lease, or waits for it. */
  async #takeTurn(signal: AbortSignal): Promise<void> {
    const { rings } = this.#bell;
    const rows = await this.#look();
    const mayHold = this.#hasLostLease || this.#in("apart").length > 0 || rows.some(({ isFree }) => isFree);
    const lease = mayHold && !this.#isStopped ? await this.#acquire() : undefined;
    this.#hasLostLease = false;
    this.#fault = null;
    if (lease) await this.#hold(lease, signal);
    else this.#standBy(rows);
    const everyMs = this.#in("waiting", "apart").length > 0 ? askEveryMs(this.#leaseMs) : idleMs;
    await this.#bell.waitAfter(lease ? this.#bell.rings : rings, everyMs, signal);
  }

  #acquire = () => leases.acquire(this.#options.pool, this.#key, this.#holder, this.#leaseMs);

  /** The rows of those that wait, free of subscriptions that no process holds any more. */
  async #look(): Promise<readonly MemberRow[]> {
    const { pool, name } = this.#options;
    const keys = this.#in("waiting").map(({ key }) => key);
    if (keys.length === 0) return [];
    const rows = await readMembers(pool, keys);
    const isLapsed = ({ subscription, isFree }: MemberRow) =>
      isFree && subscription !== null && subscription !== name;
    const isMissing = rows.length < keys.length;
    if (!isMissing && !rows.some(isLapsed)) return rows;
    if (isMissing) await registerAll(pool, name, keys);
    await leaveLapsed(pool, rows.filter(isLapsed));
    return readMembers(pool, keys);
  }

  /** Follows alone what has been free for a while: its process died, or only this build knows it. */
  #standBy(rows: readonly MemberRow[]): void {
    const free = this.#in("waiting").filter(({ key }) =>
      rows.some((row) => row.isFree && row.subscription === null && isSame(row, key)),
    );
    for (const subscriber of free) if (this.#free.has(subscriber)) this.#followApart(subscriber);
    this.#free = new Set(free);
  }

  async #hold(lease: leases.Lease, signal: AbortSignal): Promise<void> {
    const { pool, name, store, batchSize = 500, watch = unwatched, log } = this.#options;
    const turn = new SharedTurn(
      {
        ...{ name, store, pool, batchSize, watch, log, leaseMs: this.#leaseMs },
        onFailed: (key) => {
          for (const each of this.#in("joined")) if (isSame(each.key, key)) this.#followApart(each);
        },
      },
      lease,
    );
    this.#turn = turn;
    const held = { pool, key: this.#key, lease, leaseMs: this.#leaseMs };
    let hasStopped = false;
    try {
      await whileHeld(
        held,
        signal,
        (scope) => this.#followOrStop(turn, lease.fence, scope),
        () => {
          this.#isRetryAsked = true;
          this.#bell.ring();
        },
      );
    } catch (error) {
      hasStopped = error instanceof Stopped;
      throw error;
    } finally {
      await turn.end();
      this.#turn = undefined;
      for (const each of this.#in("waiting", "joined"))
        each.stage = hasStopped && turn.has(each.key) ? "stopped" : "waiting";
    }
  }

  async #followOrStop(turn: SharedTurn, fence: number, signal: AbortSignal): Promise<void> {
    const { pool, log } = this.#options;
    try {
      await this.#follow(turn, fence, signal);
    } catch (error) {
      if (isAbort(error) && signal.aborted) return;
      if (error instanceof leases.LeaseLost || isTransientError(error)) throw error;
      const stopped = error instanceof Stopped ? error : new Stopped("log-unreadable", turn.position, error);
      const { reason, at } = stopped;
      await leases.recordStop(pool, this.#key, fence, reason, at);
      log?.error(
        { subscription: this.#key.name, reason, position: at, fault: nameOfError(stopped.cause) },
        "subscription stopped; needs attention",
      );
      throw stopped;
    }
  }

  async #follow(turn: SharedTurn, fence: number, signal: AbortSignal): Promise<void> {
    await turn.release(this.#in("waiting").map(({ key }) => key));
    await this.#admit(turn);
    await leases.recordRunning(this.#options.pool, this.#key, fence);
    await firstFault(signal, [(scope) => this.#takeBatches(turn, scope), (scope) => this.#tend(turn, scope)]);
  }

  async #takeBatches(turn: SharedTurn, signal: AbortSignal): Promise<void> {
    const { store, batchSize = 500 } = this.#options;
    while (!signal.aborted) {
      const { rings } = turn.moved;
      if (turn.isEmpty) await turn.moved.waitAfter(rings, idleMs, signal);
      const during = turn.occupied;
      if (turn.isEmpty || during.aborted) continue;
      const scope = AbortSignal.any([signal, during]);
      for await (const batch of store.follow({ after: turn.position, signal: scope, batchSize })) {
        await turn.take(batch, during);
        this.#retryMs = firstRetryMs;
        for (const each of this.#in("joined")) each.reached(turn.position);
      }
      if (!scope.aborted) return; // The store was closed.
    }
  }

  /** Lets subscribers in and out, and retries parked streams when asked. Ends when there is nothing to hold. */
  async #tend(turn: SharedTurn, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { rings } = this.#bell;
      await turn.dismiss(this.#in("off").map(({ key }) => key));
      const rows = await this.#look();
      if (rows.some(({ isFree, subscription }) => isFree || subscription === this.#key.name))
        await this.#admit(turn);
      if (this.#isRetryAsked) {
        this.#isRetryAsked = false;
        await turn.retry();
      }
      if (turn.isEmpty && this.#in("apart").length === 0) return;
      const everyMs = this.#in("waiting").length > 0 ? askEveryMs(this.#leaseMs) : idleMs;
      await this.#bell.waitAfter(rings, everyMs, signal);
    }
  }

  async #admit(turn: SharedTurn): Promise<void> {
    const waiting = this.#in("waiting");
    const free = await turn.admit(waiting.map(({ member }) => member));
    for (const each of waiting) {
      if (each.stage !== "waiting") continue;
      if (turn.has(each.key)) {
        each.stage = "joined";
        each.reached(turn.position);
      } else if (free.some((key) => isSame(key, each.key))) this.#followApart(each);
    }
  }

  #followApart(subscriber: Subscriber): void {
    subscriber.stage = "apart";
    void subscriber.own.run().then((outcome) => {
      if (subscriber.stage === "apart") subscriber.stage = outcome === "stopped" ? "stopped" : "waiting";
      this.#bell.ring();
    });
  }

  async #join(subscriber: Subscriber, own: FollowerTurn): Promise<boolean> {
    const turn = this.#turn;
    // A turn that is over is noticed.
    if (!turn || !(await turn.join(subscriber.member, own).finally(() => this.#bell.ring()))) return false;
    subscriber.reached(turn.position);
    this.#options.log?.info({ follower: subscriber.key }, "follower joined the subscription");
    return true;
  }

  #in(...stages: readonly Subscriber["stage"][]): readonly Subscriber[] {
    return this.#subscribers.filter(({ stage }) => stages.includes(stage));
  }
}

const isSame = (one: leases.FollowerKey, other: leases.FollowerKey): boolean =>
  one.name === other.name && one.version === other.version;
