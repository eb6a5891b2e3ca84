import {
  type Appended,
  type AppendRequest,
  beginning,
  type EventStore,
  type FollowOptions,
  type Position,
  StoreBusy,
  type StoredEvent,
  WrongExpectedRevision,
} from "../event-store/event-store.ts";
import { EventStoreUnreachable } from "../event-store/kurrent/kurrent-errors.ts";
import { pause } from "../following/follower-turn.ts";
import { isTransientFault } from "../following/transient-fault.ts";
import { eventIfThere } from "./known-checkpoints.ts";
import type { BoundLog } from "./log-binding.ts";

/**
 * Another log answers than the one this process was started on. It counts as unreachable: whatever waits for the log waits until
 * the right one is back.
 */
export class OtherLogAnswers extends EventStoreUnreachable {
  override name = "OtherLogAnswers";
}

/** An event store that works only while it is seen to be the one of its database. */
export type GuardedEventStore = EventStore & {
  /**
   * Asks the log, after this call, for the newest event this process has seen in it. To be called between reading what decides and
   * destroying, removing or settling what was decided on.
   * @throws OtherLogAnswers, or the store's faults
   */
  confirm(): Promise<void>;
  /** Says that the connection may be to another server now: what is asked of it next confirms first, and somebody asks soon. */
  doubt(): void;
};

export type GuardOptions = {
  readonly store: EventStore;
  readonly bound: Pick<BoundLog, "logId" | "newest">;
  /** Hears once that another log answers, and once that the right one is back. */
  readonly onOther: () => void;
  readonly onBack: () => void;
  /** Hears of the newest event each time a newer one was found to be in the log. */
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
  /** Found in the log of this database. */
  #newest: SeenEvent | undefined;
  /** Appended or followed since: it may have been another log's, until both are found in one. */
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

  /** Callers share a check, but only one that began after they asked. */
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
      const isSure = error instanceof WrongExpectedRevision || error instanceof StoreBusy;
      if (!isSure) this.doubt();
      throw error;
    }
  }

  readStream(stream: string, from?: number): Promise<StoredEvent[]> {
    return this.#read(() => this.#store.readStream(stream, from));
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

  /** Whoever asks which log it is goes on from a checkpoint in it. The server itself is not asked: an empty one would begin a log. */
  async logId(): Promise<string> {
    await this.confirm();
    return this.#options.bound.logId;
  }

  /** A batch was read before it is confirmed, so none of another log ever reaches a follower. */
  async *follow(options: FollowOptions): AsyncGenerator<readonly StoredEvent[]> {
    const { signal } = options;
    try {
      for await (const batch of this.#store.follow(options)) {
        const last = batch.at(-1);
        if (last) this.#saw(last.position, [last]);
        await this.#confirmPatiently(signal);
        if (signal.aborted) return;
        yield batch;
      }
    } catch (error) {
      await this.#blameOther(error);
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
      return this.#blameOther(error);
    }
  }

  /**
   * Where a position is none, or an event is not understood, another log may answer.
   * @throws OtherLogAnswers if so, else the error
   */
  async #blameOther(error: unknown): Promise<never> {
    if (error instanceof OtherLogAnswers) throw error;
    this.doubt();
    if (!isTransientFault(error)) await this.confirm();
    throw error;
  }

  #isInDoubt(): boolean {
    return this.#isOther || this.#doubts > this.#doubtsSettled;
  }

  async #confirmWhereInDoubt(): Promise<void> {
    if (this.#isInDoubt()) await this.confirm();
  }

  /** Asks until the right log answers, so that another one is noticed, and its end too, while nobody else asks anything. */
  async #settle(): Promise<void> {
    const { signal } = this.#closing;
    let pauseMs: number = retryMs.first;
    while (this.#isInDoubt() && !signal.aborted) {
      // Whoever needs the log meets the same fault.
      await this.confirm().catch(() => pause(pauseMs, signal));
      pauseMs = Math.min(pauseMs * 2, retryMs.most);
    }
    this.#settling = undefined;
  }

  /** A server that went away between a batch and its check will be back; that it is another one does not pass by waiting here. */
  async #confirmPatiently(signal: AbortSignal): Promise<void> {
    let pauseMs: number = retryMs.first;
    while (!signal.aborted) {
      try {
        return await this.confirm();
      } catch (error) {
        if (error instanceof OtherLogAnswers || !isTransientFault(error)) throw error;
        await pause(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, retryMs.most);
      }
    }
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
    throw new OtherLogAnswers("Another log answers than the one of this database.");
  }

  async #isOurs(): Promise<boolean> {
    const [newest, unconfirmed] = [this.#newest, this.#unconfirmed];
    const isKnown = newest
      ? await this.#holds(newest)
      : (await this.#store.logId()) === this.#options.bound.logId;
    // What was seen since may have come from where the known one is missing.
    if (!isKnown) this.#unconfirmed = undefined;
    if (!isKnown || !unconfirmed) return isKnown;
    const isThere = await this.#holds(unconfirmed);
    if (isThere) this.#confirmed(unconfirmed);
    return isThere;
  }

  async #holds({ position, eventId }: SeenEvent): Promise<boolean> {
    return (await eventIfThere(this.#store, position))?.id === eventId;
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
