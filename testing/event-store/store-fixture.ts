import { randomUUID } from "node:crypto";
import type { EventStore, NewEvent } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import type { JsonObject } from "../../infra/json.ts";
import { createPool } from "../../infra/postgres/pool.ts";
import { testDatabase } from "../postgres/test-database.ts";

/** An adapter under test: a new log, and one store on it per process. */
export type ContractSubject = { open: () => EventStore; dispose: () => Promise<void> };

export const anEvent = (type = "Happened", data: JsonObject = {}): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  metadata: { note: "kept as it is" },
});

/** A stream unique to the test. */
export const aStream = (): string => `thing-${randomUUID()}`;

/** Postgres's store on a separate database. */
export async function openPostgresSubject(): Promise<ContractSubject> {
  const { connectionString, drop } = await testDatabase();
  const pool = createPool(connectionString);
  return {
    open: () => createPostgresEventStore({ pool, connectionString }),
    dispose: async () => {
      await pool.end();
      await drop();
    },
  };
}

/** A store's methods without its class, so that a test may replace some. */
export function boundStore(store: EventStore): EventStore {
  return {
    append: (request) => store.append(request),
    readStream: (stream, from) => store.readStream(stream, from),
    readAll: (after, limit) => store.readAll(after, limit),
    eventAt: (position) => store.eventAt(position),
    follow: (options) => store.follow(options),
    head: () => store.head(),
    logId: () => store.logId(),
    close: () => store.close(),
  };
}
