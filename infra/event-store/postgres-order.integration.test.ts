import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { followUntil } from "../../testing/event-store/contract-following.ts";
import { delayCommits, followNaively } from "../../testing/event-store/late-commits-fixture.ts";
import { anEvent, aStream } from "../../testing/event-store/store-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { createPool, type Pool } from "../postgres/pool.ts";
import { beginning } from "./event-store.ts";
import { createPostgresEventStore } from "./postgres/postgres-event-store.ts";

const writers = 16;
const appendsEach = 10;

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString, writers + 4);
  await delayCommits(pool, "events");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it("shows followers every event in order while 16 writers commit after different delays", async () => {
  const { connectionString } = database;
  const stores = Array.from({ length: writers }, () => createPostgresEventStore({ pool, connectionString }));
  const total = writers * appendsEach;
  const following = stores
    .slice(0, 2)
    .map((store) => followUntil(store, beginning, (seen) => seen.length >= total, 7));
  await Promise.all(
    stores.map(async (store, writer) => {
      for (let n = 0; n < appendsEach; n++)
        await store.append({
          stream: aStream(),
          expectedRevision: "none",
          events: [anEvent("Late", { writer, n })],
        });
    }),
  );
  const { rows } = await pool.query<{ id: string }>("select id from events order by position");
  const written = rows.map(({ id }) => id);
  expect(written).toHaveLength(total);
  for (const seen of await Promise.all(following)) expect(seen.map(({ id }) => id)).toEqual(written);
  await Promise.all(stores.map((store) => store.close()));
});

it("is necessary: a follower of a bare sequence loses events with the same writers", async () => {
  const { written, seen } = await followNaively(pool, writers, appendsEach);
  expect(written).toBe(writers * appendsEach);
  expect(seen).toBeLessThan(written);
});

it("numbers positions without gaps, also after refused or rolled-back appends", async () => {
  const { connectionString } = database;
  const store = createPostgresEventStore({ pool, connectionString });
  const stream = aStream();
  const before = Number(await store.head());
  await Promise.allSettled([
    store.append({ stream, expectedRevision: "none", events: [anEvent()] }),
    store.append({ stream, expectedRevision: "none", events: [anEvent()] }),
    store.append({ stream: `${aStream()}\0`, expectedRevision: "none", events: [anEvent()] }),
    store.append({ stream: aStream(), expectedRevision: "none", events: [anEvent(), anEvent()] }),
  ]);
  const { rows } = await pool.query<{ position: number }>(
    "select position from events where position > $1 order by position",
    [before],
  );
  expect(rows.map(({ position }) => position)).toEqual([before + 1, before + 2, before + 3]);
  await store.close();
});

it("rejects appends without the lock: two at once would take the same positions", async () => {
  const { rows } = await pool.query<{ source: string }>(
    "select pg_get_functiondef('append_events'::regproc) as source",
  );
  const unlocked = (rows[0]?.source ?? "")
    .replace("append_events", "append_unlocked")
    .replace("perform pg_advisory_xact_lock(7306522);", "");
  expect(unlocked).not.toContain("advisory");
  await pool.query(unlocked);
  const append = (client: pg.PoolClient) =>
    client.query(
      `select append_unlocked(array[$1], array[-1], array[1], array[0], array[gen_random_uuid()], array['T'], array['{}']::json[], array['{}']::json[])`,
      [aStream()],
    );
  const clients = await Promise.all(Array.from({ length: 8 }, () => pool.connect()));
  const outcomes = await Promise.allSettled(clients.map((client) => append(client)));
  for (const client of clients) client.release();
  expect(outcomes.some(({ status }) => status === "rejected")).toBe(true);
});
