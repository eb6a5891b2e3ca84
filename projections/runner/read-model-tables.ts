import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import type { Client } from "../../infra/postgres/pool.ts";
import { type Projection, schemaOf } from "./projection.ts";
import { type FoldedInMemory, RowsInMemory } from "./rows-in-memory.ts";
import { keysOf, TableWriter } from "./table-writer.ts";

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
  /** Rows to fold many batches into before they are written. The table is empty, and has no other writer. */
  startEmpty(): FoldedInMemory;
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
    const rows = new RowsInMemory(projection, writer);
    await rows.fold(client, events);
    await rows.write(client);
  }

  async function refold(client: Client, events: readonly StoredEvent[]): Promise<void> {
    await writer.remove(client, keysOf(projection, events));
    await apply(client, events);
  }

  async function create(client: Client): Promise<void> {
    await createTable(client);
    await createIndexes(client);
  }

  const startEmpty = () => new RowsInMemory(projection, writer, { isTableEmpty: true });

  return { create, createTable, createIndexes, apply, refold, startEmpty };
}
