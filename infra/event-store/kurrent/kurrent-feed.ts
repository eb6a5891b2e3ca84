import {
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type EventStoreDBClient,
  START,
  streamNameFilter,
} from "@eventstore/db-client";
import { Bell } from "../bell.ts";
import {
  EventStoreUnreachable,
  type FollowOptions,
  type Position,
  type StoredEvent,
} from "../event-store.ts";
import { readingError } from "./kurrent-errors.ts";
import { type LogNames, storedEvent } from "./kurrent-events.ts";
import { type LogPlace, placeOf } from "./kurrent-position.ts";

// In units of 32 events seen: limits how many events of other programs are read again.
const checkpointInterval = 10;

type FeedOptions = {
  client: EventStoreDBClient;
  names: LogNames;
  /** The server drops a slow subscriber, so everything is read at once, but no more than this is buffered. */
  mostQueued: number;
};

/** Events from the server after a position, buffered. Lost subscriptions are reopened where they stopped. */
class KurrentFeed {
  /** Rings when an event arrives or the subscription is lost. */
  readonly bell = new Bell();
  readonly #client: EventStoreDBClient;
  readonly #names: LogNames;
  readonly #mostQueued: number;
  #queue: StoredEvent[] = [];
  /** Position of the last queued event: anything not later is a duplicate. */
  #last: Position;
  /** Where to resume. A checkpoint made while catching up works only with the same filter. */
  #resume: LogPlace | undefined;
  #subscription: AllStreamSubscription | undefined;
  #fault: unknown;
  #heardAt = performance.now();

  /** @throws RangeError when `after` is not a position of this kind of log */
  constructor(options: FeedOptions, after: Position) {
    this.#client = options.client;
    this.#names = options.names;
    this.#mostQueued = options.mostQueued;
    this.#last = after;
    this.#resume = placeOf(after);
  }

  /** Takes at most this many queued events. */
  take(most: number): StoredEvent[] {
    return this.#queue.splice(0, most);
  }

  /** Why the subscription was lost; reported once. */
  takeFault(): unknown {
    const fault = this.#fault;
    this.#fault = undefined;
    return fault;
  }

  /** Subscribes unless subscribed. After a full queue it waits until the queue is empty. */
  open(): void {
    if (this.#subscription || this.#queue.length > 0) return;
    this.#heardAt = performance.now();
    const subscription: AllStreamSubscription = this.#client.subscribeToAll({
      fromPosition: this.#resume ?? START,
      filter: streamNameFilter({
        prefixes: [this.#names.prefix],
        checkpointInterval,
        checkpointReached: (_, place) => this.#passed(subscription, place),
      }),
    });
    this.#subscription = subscription;
    subscription.on("data", (resolved: AllStreamResolvedEvent) => this.#receive(subscription, resolved));
    subscription.on("error", (error: unknown) => this.#lose(subscription, readingError(error)));
    subscription.on("end", () => this.#lose(subscription, new EventStoreUnreachable("The server ended it.")));
    for (const sign of ["confirmation", "caughtUp"] as const) subscription.on(sign, () => this.#heard());
  }

  /** Drops a subscription that was silent for this long: after a server restart it may be dead. */
  closeWhenSilent(silenceMs: number): void {
    if (performance.now() - this.#heardAt >= silenceMs) this.close();
  }

  close(): void {
    const subscription = this.#subscription;
    this.#subscription = undefined;
    // Rejects when it never started.
    subscription?.unsubscribe().catch(() => undefined);
  }

  #heard(): void {
    this.#heardAt = performance.now();
  }

  #receive(subscription: AllStreamSubscription, { event }: AllStreamResolvedEvent): void {
    if (subscription !== this.#subscription || !event) return;
    this.#heard();
    try {
      const stored = storedEvent(event, this.#names);
      if (stored.position <= this.#last) return;
      this.#queue.push(stored);
      this.#last = stored.position;
      this.#resume = event.position;
    } catch (error) {
      this.#lose(subscription, error);
    }
    if (this.#queue.length >= this.#mostQueued) this.close();
    this.bell.ring();
  }

  /** Advances past a checkpoint. Events still in the stream's buffer must come first. */
  #passed(subscription: AllStreamSubscription, place: LogPlace): void {
    if (subscription !== this.#subscription) return;
    this.#heard();
    if (subscription.readableLength === 0 && place.commit > (this.#resume?.commit ?? 0n))
      this.#resume = place;
  }

  #lose(subscription: AllStreamSubscription, error: unknown): void {
    if (subscription !== this.#subscription) return;
    this.close();
    this.#fault = error;
    this.bell.ring();
  }
}

type FollowedLog = FeedOptions & {
  /** A subscription silent for this long is reopened. */
  silenceMs: number;
  /** Aborts when the store closes. */
  closing: AbortSignal;
  onTrouble(error: unknown): void;
};

const retryMs = { first: 50, most: 1000 } as const;
const defaultBatchSize = 500;

/**
 * Follows the log from a position, live once caught up. Survives transient errors: a lost connection, a starting
 * server, being dropped.
 * @throws RangeError for an invalid position; a subscription's permanent error
 */
export async function* followKurrent(
  log: FollowedLog,
  { after, signal, batchSize = defaultBatchSize }: FollowOptions,
): AsyncGenerator<readonly StoredEvent[]> {
  const ending = AbortSignal.any([signal, log.closing]);
  const feed = new KurrentFeed(log, after);
  let pauseMs: number = retryMs.first;
  try {
    while (!ending.aborted) {
      const { rings } = feed.bell;
      const events = feed.take(batchSize);
      if (events.length > 0) {
        pauseMs = retryMs.first;
        yield events;
        continue;
      }
      const fault = feed.takeFault();
      if (fault !== undefined) {
        reportOrThrow(fault, log);
        await feed.bell.waitAfter(feed.bell.rings, pauseMs, ending);
        pauseMs = Math.min(pauseMs * 2, retryMs.most);
      } else {
        feed.open();
        await feed.bell.waitAfter(rings, log.silenceMs, ending);
        feed.closeWhenSilent(log.silenceMs);
      }
    }
  } finally {
    feed.close();
  }
}

function reportOrThrow(fault: unknown, log: FollowedLog): void {
  if (!(fault instanceof EventStoreUnreachable)) throw fault;
  log.onTrouble(fault);
}
