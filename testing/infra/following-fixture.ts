import { randomUUID } from "node:crypto";
import type { EventStore, Position, StoredEvent } from "../../infra/event-store/event-store.ts";
import type { Client, Pool } from "../../infra/postgres/pool.ts";

/** Work that does not ask how its transaction ends. */
export type TestWork = (client: Client, events: readonly StoredEvent[]) => Promise<void>;

/** Work that writes one row per event, into a table without constraints. */
export async function createWorkTable(pool: Pool): Promise<string> {
  const table = `work_${randomUUID().replaceAll("-", "")}`;
  await pool.query(`create table ${table} (nth serial, event text, worker text)`);
  return table;
}

/** The rows of a work table in order of writing, as `event by worker`. */
export async function workDone(pool: Pool, table: string): Promise<string[]> {
  const { rows } = await pool.query<{ done: string }>(
    `select event || ' by ' || worker as done from ${table} order by nth`,
  );
  return rows.map((row) => row.done);
}

export function writing(table: string, worker: string): TestWork {
  return async (client, events) => {
    for (const event of events)
      await client.query(`insert into ${table} (event, worker) values ($1, $2)`, [event.type, worker]);
  };
}

/** Appends events to one stream, one by one. Returns the position of the last. */
export async function happenIn(
  store: EventStore,
  stream: string,
  ...types: readonly string[]
): Promise<Position> {
  let position: Position = "";
  for (const type of types) {
    const last = (await store.readStream(stream)).at(-1);
    const event = { id: randomUUID(), type, data: {}, metadata: {} };
    const expectedRevision = last?.revision ?? "none";
    ({ position } = await store.append({ stream, expectedRevision, events: [event] }));
  }
  return position;
}

/** Appends one event per type, each to a separate stream. Returns the last position. */
export async function happen(store: EventStore, ...types: readonly string[]): Promise<Position> {
  let position: Position = "";
  for (const type of types) {
    const event = { id: randomUUID(), type, data: {}, metadata: {} };
    ({ position } = await store.append({
      stream: `thing-${event.id}`,
      expectedRevision: "none",
      events: [event],
    }));
  }
  return position;
}
