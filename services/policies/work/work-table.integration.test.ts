import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPool, inDerivedTransaction, type Pool } from "../../../infra/postgres/pool.ts";
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

it("waits for the disk with what a worker takes, and with nothing else", async () => {
  const worker = randomUUID();
  await createWorkTable(pool, 1).enter(worker);
  const now = new Date();
  const derive = (takes: ReadonlySet<string>, subjectId: string) =>
    inDerivedTransaction(pool, async (client) => {
      const tasks = [{ name: "fulfil", kind: "fulfil" as const, dueAt: now.toISOString() }];
      const derived = [{ subjectId, tasks }];
      await deriveRows(client, { ...{ derived, now, rules: 1, worker, takes }, letsGo: new Set() });
      return (await client.query<{ how: string }>("select current_setting('synchronous_commit') as how"))
        .rows[0];
    });
  expect(await derive(new Set(), randomUUID())).toEqual({ how: "off" });
  const taken = randomUUID();
  expect(await derive(new Set([taken]), taken)).toEqual({ how: "on" });
});
