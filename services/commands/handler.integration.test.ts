import { afterAll, beforeAll, expect, it } from "vitest";
import type { EventStore } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres-event-store.ts";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { testDatabase } from "../../infra/postgres/test-database.ts";
import { createCommandHandler } from "./handler.ts";
import { as, jarDecider, jarReading, put } from "./handler-fixture.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let stores: EventStore[];
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  stores = Array.from({ length: 4 }, () =>
    createPostgresEventStore({ pool, connectionString: database.connectionString }),
  );
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await pool.end();
  await database.drop();
});

/** 20 handlers, spread over the stores as over processes, with real waits between their tries. */
function handlers() {
  return Array.from({ length: 5 }, () => stores)
    .flat()
    .map((store) => createCommandHandler({ store, decider: jarDecider, ...jarReading, random: Math.random }));
}

it("lets 20 rivals on one stream each have their turn, one after the other", async () => {
  const stream = "jar-of-rivals";
  const results = await Promise.all(
    handlers().map((handler, n) =>
      handler.handle({ stream, command: put(n, n), metadata: as(`rival-${n}`) }),
    ),
  );
  expect(results.map(({ repeated }) => repeated)).not.toContain(true);
  const revisions = results.map(({ revision }) => Number(revision)).toSorted((a, b) => a - b);
  expect(revisions).toEqual(Array.from({ length: 20 }, (_, n) => n * 2 + 1));
  const [handler] = handlers();
  expect((await handler?.load(stream))?.state).toMatchObject({ coins: 40, total: 380 });
});

it("does the same command once when 20 send it together, and answers all alike", async () => {
  const stream = "jar-of-twins";
  const request = { stream, command: put(5, 10), metadata: as("twin") };
  const results = await Promise.all(handlers().map((handler) => handler.handle(request)));
  expect(results.filter(({ repeated }) => !repeated)).toHaveLength(1);
  for (const result of results)
    expect({ ...result, repeated: true }).toEqual({ ...results[0], repeated: true });
  expect(await stores[0]?.readStream(stream)).toHaveLength(2);
});
