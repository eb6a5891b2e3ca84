import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { soon } from "../../testing/setup/patience.ts";
import { endClient } from "./pool.ts";
import { endingWhenSilent } from "./silent-connections.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Longer than a busy machine takes to connect and to answer. */
const silentMs = 3_000;

/** Connected, with what the connection has reported. */
async function connected(isWatched: boolean) {
  const client = new pg.Client({
    connectionString: database.connectionString,
    query_timeout: silentMs,
    ...(isWatched && { stream: endingWhenSilent(silentMs) }),
  });
  const faults: string[] = [];
  client.on("error", ({ name }) => faults.push(name));
  await client.connect();
  return { client, faults };
}

const waits = "select pg_sleep(30)";

it("ends the connection whose server does not answer, so that its keeper makes another", async () => {
  const { client, faults } = await connected(true);
  await expect(client.query(waits)).rejects.toThrow();
  await vi.waitFor(() => expect(faults).toContain("ServerSilent"), soon);
  await expect(client.query("select 1")).rejects.toThrow("not queryable");
});

it("would keep it otherwise, and nothing on it would be answered (control)", async () => {
  const { client, faults } = await connected(false);
  for (const text of [waits, "select 1"])
    await expect(client.query(text)).rejects.toThrow("Query read timeout");
  expect(faults).toEqual([]);
  await endClient(client);
});

it("leaves a connection alone that is answered, and one that has nothing to say", async () => {
  const { client, faults } = await connected(true);
  const answer = async () => (await client.query("select 1 as n")).rows;
  expect(await answer()).toEqual([{ n: 1 }]);
  await delay(silentMs * 1.5);
  expect(await answer()).toEqual([{ n: 1 }]);
  expect(faults).toEqual([]);
  await client.end();
});
