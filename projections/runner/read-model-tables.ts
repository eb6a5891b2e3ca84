import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { whileReading } from "../../infra/event-store/stream-unreadable.ts";
import type { Client } from "../../infra/postgres/pool.ts";
import { type Projection, schemaOf } from "./projection.ts";
import { foldRows, keysOf, TableWriter } from "./table-writer.ts";

/** One projection's tables in one schema, with its state type hidden. */
type ReadModelTables = {
  /** Creates schema, table and indexes if missing. */
  create(client: Client): Promise<void>;
  /** In two steps, to fill the table in between: building an index is faster than maintaining it. */
  createTable(client: Client): Promise<void>;
  createIndexes(client: Client): Promise<void>;
  /** Folds events into the rows, in the caller's transaction. */
  apply(client: Client, events: readonly StoredEvent[]): Promise<void>;
  /** Folds whole streams again from the start, replacing their rows. */
  refold(client: Client, events: readonly StoredEvent[]): Promise<void>;
};

/** The tables of a projection: the live ones, or those filled by a rebuild alongside them. */
export function tablesOf<State>(
  projection: Projection<State>,
  schema: string = schemaOf(projection),
): ReadModelTables {
  const { table } = projection;
  const writer = new TableWriter<State>(schema, table);

  async function createTable(client: Client): Promise<void> {
    await client.query(`create schema if not exists ${schema}`);
    await writer.create(client);
  }

  async function createIndexes(client: Client): Promise<void> {
    for (const [nth, index] of table.indexes.entries()) {
      const kind = index.unique ? "unique index" : "index";
      await client.query(
        `create ${kind} if not exists ${table.name}_${nth + 1} on ${schema}.${table.name} ${index.on}`,
      );
    }
  }

  async function apply(client: Client, events: readonly StoredEvent[]): Promise<void> {
    const keys = keysOf(projection, events);
    if (keys.length === 0) return;
    const current = new Map((await writer.read(client, keys)).map((row) => [row.key, row]));
    const streams = new Map(events.map((event) => [projection.keyOf(event.stream, event), event.stream]));
    const rows = foldRows(projection, current, events).map(({ key, revision, folded }) => ({
      ...whileReading(streams.get(key) ?? key, () => table.row(folded)),
      key,
      revision,
      folded,
    }));
    const isFresh = (row: { key: string }) => !current.has(row.key);
    await writer.write(
      client,
      rows.filter(isFresh),
      rows.filter((row) => !isFresh(row)),
    );
  }

  async function refold(client: Client, events: readonly StoredEvent[]): Promise<void> {
    await writer.remove(client, keysOf(projection, events));
    await apply(client, events);
  }

  async function create(client: Client): Promise<void> {
    await createTable(client);
    await createIndexes(client);
  }

  return { create, createTable, createIndexes, apply, refold };
}
