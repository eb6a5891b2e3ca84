import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { givenUpAfter, inTransaction, type Pool } from "./pool.ts";

let database: TestDatabase;
let pool: Pool;
let sent: string[];

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await database.drop();
});

beforeEach(() => {
  sent = [];
});

/** With a short `query_timeout`, or none. */
function openPool(query_timeout?: number): Pool {
  const opened = new pg.Pool({
    connectionString: database.connectionString,
    max: 1,
    ...(query_timeout !== undefined && { query_timeout }),
  });
  opened.on("connect", (client) => {
    client.on("error", () => undefined);
    const { query } = client;
    vi.spyOn(client, "query").mockImplementation((...args: unknown[]) => {
      sent.push(String(args[0]));
      return Reflect.apply(query, client, args);
    });
  });
  return opened;
}

it("closes the connection of a transaction whose server fell silent, and waits for no rollback", async () => {
  pool = openPool(500);
  const work = inTransaction(pool, (client) =>
    client.query("select pg_sleep(60)").catch((cause: unknown) => {
      throw new Error("A member failed.", { cause });
    }),
  );
  await expect(work).rejects.toThrow(/A member failed|Query read timeout/);
  expect(sent).not.toContain("rollback");
  expect(pool.totalCount).toBe(0);
  await pool.end();
});

it("gives up a statement in the time given for it, with its connection", async () => {
  pool = openPool();
  await expect(pool.query(givenUpAfter(100, "select pg_sleep($1)", [60]))).rejects.toThrow(
    "Query read timeout",
  );
  expect(pool.totalCount).toBe(0);
  expect((await pool.query(givenUpAfter(60_000, "select $1::integer as n", [1]))).rows).toEqual([{ n: 1 }]);
  await pool.end();
});

it("closes the connection of a transaction whose server takes no writes", async () => {
  pool = openPool();
  const work = inTransaction(pool, async (client) => {
    await client.query("set transaction read only");
    await client.query("create table never_made ()");
  });
  await expect(work).rejects.toMatchObject({ code: "25006" });
  expect(pool.totalCount).toBe(0);
  await pool.end();
});

it("rolls back after any other error, and keeps the connection", async () => {
  pool = openPool();
  await expect(inTransaction(pool, (client) => client.query("select 1 / 0"))).rejects.toThrow("division");
  expect(sent).toContain("rollback");
  expect(pool.totalCount).toBe(1);
  await pool.end();
});
