import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { createPool } from "../../infra/postgres/pool.ts";
import { testDatabase } from "../postgres/test-database.ts";
import type { ContractSubject } from "./contract-subject.ts";

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
