import { afterAll, beforeAll } from "vitest";
import { createPool, type Pool } from "../../../infra/postgres/pool.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { describeWorkTable } from "../../../testing/services/work-table-contract.ts";
import { createWorkTable, deriveRows } from "./work-table.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describeWorkTable("in Postgres", async () => {
  await pool.query("delete from work");
  await pool.query("delete from workers");
  return {
    table: createWorkTable(pool, 1),
    begin: async () => {
      const client = await pool.connect();
      await client.query("begin");
      const end = async (how: "commit" | "rollback") => {
        await client.query(how);
        client.release();
      };
      return {
        derive: (deriving) =>
          deriveRows(client, deriving).catch(async (error: unknown) => {
            await end("rollback");
            throw error;
          }),
        expectOpen: () => undefined,
        commit: () => end("commit"),
        rollBack: () => end("rollback"),
      };
    },
  };
});
