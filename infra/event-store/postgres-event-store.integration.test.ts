import { createPool } from "../postgres/pool.ts";
import { testDatabase } from "../postgres/test-database.ts";
import { describeEventStoreContract } from "./contract.ts";
import { createPostgresEventStore } from "./postgres-event-store.ts";

describeEventStoreContract("Postgres", async () => {
  const { connectionString, drop } = await testDatabase();
  const pool = createPool(connectionString);
  return {
    open: () => createPostgresEventStore({ pool, connectionString }),
    dispose: async () => {
      await pool.end();
      await drop();
    },
  };
});
