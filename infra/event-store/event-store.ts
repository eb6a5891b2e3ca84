import type { JsonObject } from "../json.ts";

/** A place in the log. Opaque and not dense; later is greater when compared as text. */
export type Position = string;

/** Before the first event. */
export const beginning: Position = "";

/** `"none"`: the stream must not exist yet. A number: the revision of its last event, counted from 0. */
export type ExpectedRevision = number | "none";

/** An event to append. `id` is a UUID; data and metadata must survive JSON unchanged. */
export type NewEvent = { id: string; type: string; data: JsonObject; metadata: JsonObject };

/** An event in the log. `recordedAt` is the store's clock, ISO 8601 in UTC. */
export type StoredEvent = NewEvent & {
  stream: string;
  revision: number;
  position: Position;
  recordedAt: string;
};

export type AppendRequest = {
  stream: string;
  expectedRevision: ExpectedRevision;
  events: readonly NewEvent[];
  /** Rows of another table, written in the same transaction. Only where the log is in that table's database. */
  companions?: readonly CompanionRow[];
};

/** A row's values, in the order of its table's columns. UUIDs are text, times ISO 8601. */
export type CompanionRow = readonly (string | number | Uint8Array)[];

/** Revision and position of the last event written. */
export type Appended = { revision: number; position: Position };

export type FollowOptions = {
  after: Position;
  signal: AbortSignal;
  batchSize?: number;
  /** Where the store can, each batch begins with the event before it, read by the same statement. */
  overlap?: boolean;
  /** A batch begins no sooner than this after the one before (20 ms), so appends in quick succession share one. */
  gatherMs?: number;
};

/** The port. Appends are atomic; streams read in order; following neither skips nor repeats events. */
export interface EventStore {
  /**
   * @throws WrongExpectedRevision when the stream is at another revision: nothing was written
   * @throws StoreBusy when too many appends are waiting: nothing was written
   * @throws OutcomeUnknown when the answer was lost: read the stream to find out
   * @throws CompanionExists when a companion row's id is taken: nothing was written
   */
  append(request: AppendRequest): Promise<Appended>;
  /** In order from `from` (default 0); a missing stream is empty. */
  readStream(stream: string, from?: number): Promise<StoredEvent[]>;
  /**
   * A stream, and the events at some positions, which one log held at the same moment. Only where the store can.
   */
  readStreamAndAt?(
    stream: string,
    from: number,
    positions: readonly Position[],
  ): Promise<{ readonly events: StoredEvent[]; readonly at: readonly StoredEvent[] }>;
  /** At most `limit` events after a position, in log order. */
  readAll(after: Position, limit: number): Promise<StoredEvent[]>;
  /** The event at exactly this position. */
  eventAt(position: Position): Promise<StoredEvent | undefined>;
  /** Batches in log order, live once caught up, until the signal aborts. */
  follow(options: FollowOptions): AsyncIterable<readonly StoredEvent[]>;
  /** Position of the newest event, `beginning` when there is none. */
  head(): Promise<Position>;
  /** Identifies the log, so that a checkpoint of a lost log is noticed. */
  logId(): Promise<string>;
  close(): Promise<void>;
}

export class WrongExpectedRevision extends Error {
  override name = "WrongExpectedRevision";
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly actual: ExpectedRevision;
  constructor(stream: string, expected: ExpectedRevision, actual: ExpectedRevision) {
    super(`Stream ${stream} was expected at ${expected} and is at ${actual}.`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

export class StoreBusy extends Error {
  override name = "StoreBusy";
}

export class OutcomeUnknown extends Error {
  override name = "OutcomeUnknown";
}

export class CompanionExists extends Error {
  override name = "CompanionExists";
}

/** The event store cannot be reached or does not answer. A retry may succeed. */
export class EventStoreUnreachable extends Error {
  override name = "EventStoreUnreachable";
}
