import type { EventStore } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { testDatabase } from "../postgres/test-database.ts";

/** A log in a separate database, and everything started on it. */
export type TestLog = {
  readonly pool: Pool;
  readonly store: EventStore;
  /** Stopped before the log closes. */
  readonly started: { stop(): Promise<void> }[];
  readonly end: () => Promise<void>;
};

export async function openTestLog(): Promise<TestLog> {
  const { connectionString, drop } = await testDatabase();
  const pool = createPool(connectionString);
  const store = createPostgresEventStore({ pool, connectionString });
  const started: TestLog["started"] = [];
  return {
    pool,
    store,
    started,
    end: async () => {
      await Promise.all(started.map((part) => part.stop()));
      await store.close();
      await pool.end();
      await drop();
    },
  };
}
