import type { Recorded } from "../../domain/decider.ts";
import { eventMetadata } from "../../infra/event-store/event-metadata.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { createUpcast, type EventTypes } from "../../infra/event-store/upcasting.ts";

/** Of SQL. */
export type ColumnType =
  | "text"
  | "uuid"
  | "integer"
  | "date"
  | "timestamptz"
  | "jsonb"
  | "boolean"
  | "uuid[]";

/** One row per stream, found by its key: the folded state and the columns used by queries. */
export type Table<State> = {
  readonly name: string;
  /** Type of `key` (text). A uuid takes less than half of its text, in each index that has it. */
  readonly key?: "uuid";
  /**
   * In addition to `key`, `revision` and `folded`, which every table has and which come first. A change logs a row from
   * the first byte to the last one that differ: what seldom changes belongs at the end.
   */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Percentage of a page that new rows fill (100). A row that finds room in its page for a change logs less. */
  readonly fillfactor?: number;
  /** What follows `create [unique] index on <table>`. */
  readonly indexes: readonly { readonly unique: boolean; readonly on: string }[];
  /** The columns' values as JSON; times are ISO 8601. */
  row(state: State): Readonly<Record<string, unknown>>;
  /**
   * What folded states have in common, in the order of their JSON. With it, `folded` is packed: deflated against this
   * and the row's other texts. Otherwise it is jsonb.
   */
  readonly dictionary?: unknown;
};

/**
 * A read model: pure, and derived from the log alone. Raise `version` whenever the fold, the table or the shape of the
 * folded state changes: the new version is built alongside the old one.
 */
export type Projection<State> = {
  readonly name: string;
  readonly version: number;
  readonly table: Table<State>;
  /** Key of the row into which an event is folded, by its stream; undefined for events of other streams. */
  keyOf(stream: string, event: StoredEvent): string | undefined;
  /** True for a register: each event has a separate row, keyed by the event's id and folded from nothing. */
  readonly isRegister?: true;
  /**
   * The row's state after an event; undefined before the first. Must survive JSON unchanged.
   * @throws when the event is not understood: it is never skipped
   */
  fold(state: State | undefined, event: StoredEvent): State;
};

/** The Postgres schema of one version: `ticket_lookup_v1`. */
export function schemaOf({ name, version }: { name: string; version: number }): string {
  return `${name.replaceAll("-", "_")}_v${version}`;
}

/**
 * Reads an event in today's shape, with its store metadata. Does not check the hash: the command handler and the audit
 * do, and a read model can be rebuilt. Remembers nothing: a WeakMap of what was read took as long as reading it again.
 * @throws UnknownEventType, ZodError
 */
type ReadEvent<Event> = (stored: StoredEvent) => { event: Event; recorded: Recorded };

// Only what is used: parsing all of it takes as long as parsing the event.
const decided = eventMetadata.pick({ at: true });

export function eventReader<Event>(
  eventTypes: EventTypes,
  schema: { parse(value: unknown): Event },
): ReadEvent<Event> {
  const upcast = createUpcast(eventTypes);
  return (stored) => {
    const { at } = decided.parse(stored.metadata);
    return {
      event: schema.parse(upcast(stored)),
      recorded: { eventId: stored.id, at, revision: stored.revision },
    };
  };
}
