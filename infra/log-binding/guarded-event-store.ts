import {
  type Appended,
  type AppendRequest,
  beginning,
  CompanionExists,
  type EventStore,
  EventStoreUnreachable,
  type FollowOptions,
  type Position,
  StoreBusy,
  type StoredEvent,
  WrongExpectedRevision,
} from "../event-store/event-store.ts";
import { pause } from "../following/follower-turn.ts";
import { isTransientError } from "../following/transient-fault.ts";
import { readsToConfirm } from "./confirmed-reads.ts";
import { type BoundLog, eventIfThere } from "./log-binding.ts";

/**
 * The log is not the one found at the start. Counts as unreachable: everything waits until the right one is back.
 */
export class OtherLogAnswers extends EventStoreUnreachable {
  override name = "OtherLogAnswers";
}

/** An event store that works only while confirmed to be its database's. */
export type GuardedEventStore = EventStore & {
  /**
   * Checks, after this call, that the log holds the newest event this process has seen. Call it between reading and
   * acting on it: erasing, removing or resolving.
   * @throws OtherLogAnswers, or the store's errors
   */
  confirm(): Promise<void>;
  /** Reports that the connection may now be to another server: the next call confirms first, and a check runs soon. */
  doubt(): void;
};

type GuardOptions = {
  readonly store: EventStore;
  readonly bound: Pick<BoundLog, "logId" | "newest">;
  /** Called once when another log answers, and once when the right one is back. */
  readonly onOther: () => void;
  readonly onBack: () => void;
  /** Called for each newer event confirmed to be in the log. */
  readonly onNewest?: (newest: SeenEvent) => void;
};

export type SeenEvent = { readonly position: Position; readonly eventId: string };

export function guardEventStore(options: GuardOptions): GuardedEventStore {
  return new Guard(options);
}

const retryMs = { first: 50, most: 1_000 } as const;

class Guard implements GuardedEventStore {
  readonly #options: GuardOptions;
  readonly #store: EventStore;
  /** Confirmed in this database's log. */
  #newest: SeenEvent | undefined;
  /** Appended since: possibly to another log, until both are found in one. */
  #unconfirmed: SeenEvent | undefined;
  #isOther = false;
  #doubts = 0;
  #doubtsSettled = 0;
  #settling: Promise<void> | undefined;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#newest = options.bound.newest;
  }

  /** Callers share a check, but only one started after their calls. */
  confirm(): Promise<void> {
    if (!this.#running) return this.#begin();
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#begin();
      });
    return this.#next;
  }

  doubt(): void {
    this.#doubts += 1;
    this.#settling ??= this.#settle();
  }

  async append(request: AppendRequest): Promise<Appended> {
    await this.#confirmWhereInDoubt();
    try {
      const appended = await this.#store.append(request);
      this.#saw(appended.position, request.events);
      return appended;
    } catch (error) {
      const sure = [WrongExpectedRevision, CompanionExists, StoreBusy];
      if (!sure.some((kind) => error instanceof kind)) this.doubt();
      throw error;
    }
  }

  readStream(stream: string, from?: number): Promise<StoredEvent[]> {
    return this.#read(() => this.#readStream(stream, from));
  }

  async #readStream(stream: string, from?: number): Promise<StoredEvent[]> {
    const reads = readsToConfirm();
    if (reads) reads.streams += 1;
    const [newest, unconfirmed] = [this.#newest, this.#unconfirmed];
    if (!reads || !newest || !this.#store.readStreamAndAt) return this.#store.readStream(stream, from);
    const known = unconfirmed ? [newest, unconfirmed] : [newest];
    const positions = known.map(({ position }) => position);
    const { events, at } = await this.#store.readStreamAndAt(stream, from ?? 0, positions);
    if (this.#isInDoubt() || !known.every((seen) => holds(at, seen))) return events;
    reads.confirmed += 1;
    if (unconfirmed && this.#unconfirmed === unconfirmed) this.#confirmed(unconfirmed);
    return events;
  }

  readAll(after: Position, limit: number): Promise<StoredEvent[]> {
    return this.#read(() => this.#store.readAll(after, limit));
  }

  eventAt(position: Position): Promise<StoredEvent | undefined> {
    return this.#read(() => this.#store.eventAt(position));
  }

  head(): Promise<Position> {
    return this.#read(() => this.#store.head());
  }

  /** Callers continue from a checkpoint in this log. Does not ask the server: an empty one would start a new log. */
  async logId(): Promise<string> {
    await this.confirm();
    return this.#options.bound.logId;
  }

  async *follow(options: FollowOptions): AsyncGenerator<readonly StoredEvent[]> {
    let { after } = options;
    let wasRefused = false;
    while (!options.signal.aborted) {
      try {
        for await (const news of this.#followConfirmed({ ...options, after })) {
          after = news.at(-1)?.position ?? after;
          wasRefused = false;
          yield news;
        }
        return;
      } catch (error) {
        await this.#findWhoRefused(error);
        if (wasRefused) throw error;
        wasRefused = true;
      }
    }
  }

  /** Batches are read before they are confirmed, so events of another log never reach a follower. */
  async *#followConfirmed(options: FollowOptions): AsyncGenerator<readonly StoredEvent[]> {
    const { signal } = options;
    let { after } = options;
    for await (const batch of this.#store.follow({ ...options, overlap: true })) {
      const news = batch.filter(({ position }) => position > after);
      const last = news.at(-1);
      if (!last) continue;
      after = last.position;
      if (!this.#isProven(batch))
        await this.#findPatiently({ position: last.position, eventId: last.id }, signal);
      if (signal.aborted) return;
      yield news;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#settling;
    await this.#store.close();
  }

  async #read<T>(read: () => Promise<T>): Promise<T> {
    await this.#confirmWhereInDoubt();
    try {
      return await read();
    } catch (error) {
      await this.#findWhoRefused(error);
      return read();
    }
  }

  /**
   * An invalid position or an unintelligible event may be another log's, even if ours is back by now: a refusal counts
   * when it comes twice with our log found in between.
   * @throws OtherLogAnswers when another log answers; transient errors
   */
  async #findWhoRefused(error: unknown): Promise<void> {
    if (error instanceof OtherLogAnswers) throw error;
    this.doubt();
    if (isTransientError(error)) throw error;
    await this.confirm();
  }

  #isInDoubt(): boolean {
    return this.#isOther || this.#doubts > this.#doubtsSettled;
  }

  async #confirmWhereInDoubt(): Promise<void> {
    if (this.#isInDoubt()) await this.confirm();
  }

  /** Checks until the right log answers, so that the change is noticed even when nothing else uses the store. */
  async #settle(): Promise<void> {
    const { signal } = this.#closing;
    let pauseMs: number = retryMs.first;
    while (this.#isInDoubt() && !signal.aborted) {
      // Callers that need the log get the same error.
      await this.confirm().catch(() => pause(pauseMs, signal));
      pauseMs = Math.min(pauseMs * 2, retryMs.most);
    }
    this.#settling = undefined;
  }

  /** A server lost between a batch and its check will be back; another log is not resolved by waiting here. */
  async #findPatiently(followed: SeenEvent, signal: AbortSignal): Promise<void> {
    let pauseMs: number = retryMs.first;
    while (!signal.aborted) {
      try {
        return await this.#find(followed);
      } catch (error) {
        if (error instanceof OtherLogAnswers || !isTransientError(error)) throw error;
        await pause(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, retryMs.most);
      }
    }
  }

  /** Asks for the event last: the log it came from may be gone since, with ours back. */
  async #find(followed: SeenEvent): Promise<void> {
    await this.confirm();
    if (!(await this.#holds(followed))) throw otherLog();
    if (followed.position > (this.#newest?.position ?? beginning)) this.#confirmed(followed);
  }

  #begin(): Promise<void> {
    const running = this.#check().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #check(): Promise<void> {
    const doubts = this.#doubts;
    if (await this.#isOurs()) {
      this.#doubtsSettled = doubts;
      if (this.#isOther) this.#options.onBack();
      this.#isOther = false;
      return;
    }
    if (!this.#isOther) this.#options.onOther();
    this.#isOther = true;
    throw otherLog();
  }

  async #isOurs(): Promise<boolean> {
    const [newest, unconfirmed] = [this.#newest, this.#unconfirmed];
    // Asked at the same time. Why it fails matters only where the known one is there.
    const asked = unconfirmed && this.#holds(unconfirmed);
    asked?.catch(() => undefined);
    const isKnown = newest
      ? await this.#holds(newest)
      : (await this.#store.logId()) === this.#options.bound.logId;
    // What was appended since may be in the log that lacks the known one.
    if (!isKnown) this.#unconfirmed = undefined;
    if (!isKnown || !unconfirmed) return isKnown;
    const isThere = (await asked) ?? false;
    if (isThere) this.#confirmed(unconfirmed);
    return isThere;
  }

  async #holds({ position, eventId }: SeenEvent): Promise<boolean> {
    return (await eventIfThere(this.#store, position))?.id === eventId;
  }

  /**
   * Whether a batch holds the newest event known, and what this process has appended up to there: all of it is then in
   * one log, which is ours, and no further question is needed.
   */
  #isProven(batch: readonly StoredEvent[]): boolean {
    const last = batch.at(-1);
    const [newest, unconfirmed] = [this.#newest, this.#unconfirmed];
    if (!last || !newest || this.#isInDoubt() || !holds(batch, newest)) return false;
    const isLater = unconfirmed !== undefined && unconfirmed.position > last.position;
    if (unconfirmed && !isLater && !holds(batch, unconfirmed)) return false;
    if (!isLater) this.#unconfirmed = undefined;
    if (last.position > newest.position) this.#confirmed({ position: last.position, eventId: last.id });
    return true;
  }

  #confirmed(seen: SeenEvent): void {
    this.#newest = seen;
    if (this.#unconfirmed === seen) this.#unconfirmed = undefined;
    this.#options.onNewest?.(seen);
  }

  #saw(position: Position, events: readonly Pick<StoredEvent, "id">[]): void {
    const eventId = events.at(-1)?.id;
    const newest = this.#unconfirmed ?? this.#newest;
    if (eventId !== undefined && position > (newest?.position ?? beginning))
      this.#unconfirmed = { position, eventId };
  }
}

const otherLog = (): OtherLogAnswers =>
  new OtherLogAnswers("The event store holds a log that does not belong to this database.");

const holds = (events: readonly StoredEvent[], { position, eventId }: SeenEvent): boolean =>
  events.some((event) => event.position === position && event.id === eventId);
