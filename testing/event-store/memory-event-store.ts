import { randomUUID } from "node:crypto";
import { Bell } from "../../infra/event-store/bell.ts";
import {
  type Appended,
  type AppendRequest,
  beginning,
  type CompanionRow,
  type EventStore,
  type FollowOptions,
  type NewEvent,
  type Position,
  StoreBusy,
  type StoredEvent,
  WrongExpectedRevision,
} from "../../infra/event-store/event-store.ts";
import { followLog } from "../../infra/event-store/follow-log.ts";
import { countUpTo, positionOf } from "../../infra/event-store/position.ts";
import { encodeAppend } from "../../infra/event-store/postgres/append-request.ts";

/** Shared by several memory stores that act as processes on one log. */
export type MemoryLog = { id: string; events: StoredEvent[]; bell: Bell };

export function createMemoryLog(): MemoryLog {
  return { id: randomUUID(), events: [], bell: new Bell() };
}

type MemoryEventStoreOptions = {
  readonly log?: MemoryLog;
  /** Its clock. */
  readonly now?: () => Date;
  /** Stores what an append takes along, or throws: then the append is refused. */
  readonly take?: (companions: readonly CompanionRow[]) => void;
};

/** An event store for tests without a database, held to the same contract. */
export function createMemoryEventStore(options: MemoryEventStoreOptions = {}): EventStore {
  return new MemoryEventStore(options);
}

/** A copy as a real store would return it. */
function throughJson<Events extends readonly NewEvent[]>(events: Events): Events {
  return JSON.parse(JSON.stringify(events));
}

class MemoryEventStore implements EventStore {
  readonly #log: MemoryLog;
  readonly #now: () => Date;
  readonly #take: ((companions: readonly CompanionRow[]) => void) | undefined;
  readonly #closing = new AbortController();

  constructor({ log = createMemoryLog(), now = () => new Date(), take }: MemoryEventStoreOptions) {
    this.#log = log;
    this.#now = now;
    this.#take = take;
  }

  async append(request: AppendRequest): Promise<Appended> {
    if (this.#closing.signal.aborted) throw new StoreBusy("The event store is closed.");
    const { stream, expectedRevision } = request;
    const { companions } = encodeAppend(request);
    if (companions.length > 0 && !this.#take) throw new TypeError("This store takes no companion rows.");
    const last = this.#log.events.findLast((event) => event.stream === stream);
    const actual = last?.revision ?? "none";
    if (actual !== expectedRevision) throw new WrongExpectedRevision(stream, expectedRevision, actual);
    this.#take?.(companions);
    const recordedAt = this.#now().toISOString();
    let revision = last?.revision ?? -1;
    for (const event of throughJson(request.events)) {
      revision += 1;
      const position = positionOf(this.#log.events.length + 1);
      this.#log.events.push({ ...event, stream, revision, position, recordedAt });
    }
    this.#log.bell.ring();
    return { revision, position: positionOf(this.#log.events.length) };
  }

  async readStream(stream: string, from = 0): Promise<StoredEvent[]> {
    return throughJson(this.#log.events.filter((event) => event.stream === stream && event.revision >= from));
  }

  async readStreamAndAt(stream: string, from: number, positions: readonly Position[]) {
    const at = this.#log.events.filter(({ position }) => positions.includes(position));
    return { events: await this.readStream(stream, from), at: throughJson(at) };
  }

  async readAll(after: Position, limit: number): Promise<StoredEvent[]> {
    const start = countUpTo(after);
    return throughJson(this.#log.events.slice(start, start + limit));
  }

  async eventAt(position: Position): Promise<StoredEvent | undefined> {
    return structuredClone(this.#log.events[countUpTo(position) - 1]);
  }

  follow(options: FollowOptions): AsyncIterable<readonly StoredEvent[]> {
    return followLog(
      {
        read: (after, limit) => this.readAll(after, limit),
        bell: this.#log.bell,
        passes: () => false,
        closing: this.#closing.signal,
        onTrouble: () => undefined,
      },
      options,
    );
  }

  async head(): Promise<Position> {
    return this.#log.events.at(-1)?.position ?? beginning;
  }

  async logId(): Promise<string> {
    return this.#log.id;
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }
}
