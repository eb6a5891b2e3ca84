import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventStore, StoredEvent } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { createFollower } from "../../infra/following/follower.ts";
import { createPool, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { happenIn, randomOf, randomOrders } from "../../testing/projections/random-orders-fixture.ts";
import {
  deliverRepeatedly,
  foldedRowsOf,
  storedRowsOf,
} from "../../testing/projections/read-model-fixture.ts";
import { patienceMs } from "../../testing/setup/patience.ts";
import { ordersProjection } from "../orders/orders.ts";
import { accessLog } from "../registers/access-log.ts";
import { purgeRegister } from "../registers/purge-register.ts";
import { type Projection, schemaOf } from "./projection.ts";
import { tablesOf } from "./read-model-tables.ts";
import { rebuild } from "./rebuild-projection.ts";
import { foldRows } from "./table-writer.ts";

type ReadModelTables = ReturnType<typeof tablesOf>;

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

// A separate version gives each run its own tables and checkpoint.
let version = 1_000;
const fresh = <State>(projection: Projection<State>): Projection<State> => ({
  ...projection,
  version: version++,
});

async function create<State>(projection: Projection<State>): Promise<ReadModelTables> {
  const tables = tablesOf(projection);
  await inTransaction(pool, tables.create);
  return tables;
}

const rowsOf = <State>(projection: Projection<State>) => storedRowsOf(pool, projection);

const deliver = (tables: ReadModelTables, events: readonly StoredEvent[], seed: number) =>
  deliverRepeatedly(pool, tables, events, randomOf(seed));

async function storeOf(seed: number, orders: number): Promise<EventStore> {
  const store = createMemoryEventStore();
  await happenIn(store, randomOrders(seed, orders));
  return store;
}

async function rebuiltEqualsLive<State>(projection: Projection<State>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 25 }), async (seed, orders) => {
      const store = await storeOf(seed, orders);
      const events = await store.readAll("", 100_000);
      const mine = fresh(projection);
      await deliver(await create(mine), events, seed);
      const live = await rowsOf(mine);
      // Few rows in memory: most are written before their order's last event, and read again.
      const [batchSize, mostRows] = [1 + (seed % 50), seed % 7];
      const parts = { pool, store, newId: randomUUID, batchSize, mostRows };
      expect(await rebuild(mine, parts)).toBe(events.length);
      expect(live).toHaveLength(orders);
      expect(await rowsOf(mine)).toEqual(live);
    }),
    { numRuns: 15 },
  );
}

async function asLive<State>(projection: Projection<State>, store: EventStore): Promise<void> {
  const mine = fresh(projection);
  const tables = await create(mine);
  const live: StoredEvent[] = [];
  // As a follower reads them.
  for (let batch = await store.readAll("", 500); batch.length > 0; ) {
    live.push(...batch);
    batch = await store.readAll(batch.at(-1)?.position ?? "", 500);
  }
  expect(live.length).toBeGreaterThan(1_000);
  await inTransaction(pool, (client) => tables.apply(client, live));
  const rows = await rowsOf(mine);
  expect(rows.length).toBeGreaterThan(1);
  await rebuild(mine, { pool, store, newId: randomUUID });
  expect(await rowsOf(mine)).toEqual(rows);
}

describe("a rebuild", () => {
  it("gives the same rows as live folding, byte for byte, whatever the batches and repetitions", () =>
    rebuiltEqualsLive(ordersProjection));

  it("writes by COPY the same rows as live folding upserts", async () => {
    const store = await storeOf(7, 600);
    const events = await store.readAll("", 100_000);
    const mine = fresh(ordersProjection);
    await deliver(await create(mine), events, 7);
    const live = await rowsOf(mine);
    await rebuild(mine, { pool, store, newId: randomUUID });
    expect(await rowsOf(mine)).toEqual(live);
    const folded = foldRows(mine, new Map(), events);
    const rows = await foldedRowsOf(pool, mine);
    const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
    expect(rows).toEqual(JSON.parse(JSON.stringify(folded.sort(byKey))));
  });

  it.each([
    ["orders", (store: EventStore) => asLive(ordersProjection, store)],
    ["purges", (store: EventStore) => asLive(purgeRegister, store)],
    ["reveals", (store: EventStore) => asLive(accessLog, store)],
  ])("gives the same rows of %s from Postgres, which copies events out", async (_, compare) => {
    const { connectionString, drop } = await testDatabase();
    const ownPool = createPool(connectionString);
    const store = createPostgresEventStore({ pool: ownPool, connectionString });
    await happenIn(store, randomOrders(21, 120, 25));
    await compare(store);
    await store.close();
    await ownPool.end();
    await drop();
  });

  it("detects a wrong row of live folding (control)", async () => {
    const store = await storeOf(8, 5);
    const mine = fresh(ordersProjection);
    await deliver(await create(mine), await store.readAll("", 100_000), 8);
    await pool.query(`update ${schemaOf(mine)}.orders set answer = folded`);
    const wrong = await rowsOf(mine);
    await rebuild(mine, { pool, store, newId: randomUUID });
    expect(await rowsOf(mine)).not.toEqual(wrong);
  });

  it("runs alongside readers and a follower, without losing rows for either", async () => {
    const store = await storeOf(9, 80);
    const mine = fresh(ordersProjection);
    const tables = await create(mine);
    const options = { name: mine.name, version: mine.version, store, pool, newId: randomUUID };
    const follower = createFollower({ ...options, leaseMs: 200, process: tables.apply });
    follower.start();
    await follower.caughtUpTo(await store.head(), patienceMs);
    const reader = countWatcher(`${schemaOf(mine)}.orders`);
    const [, read] = await Promise.all([
      happenIn(store, randomOrders(10, 80)),
      rebuild(mine, { pool, store, newId: randomUUID, batchSize: 20 }),
    ]);
    expect(await follower.caughtUpTo(await store.head(), patienceMs)).toBe(true);
    await follower.stop();
    expect(read).toBeGreaterThan(0);
    expect(await reader.stop()).toEqual([]);
    const expected = foldRows(mine, new Map(), await store.readAll("", 100_000));
    expect(await rowsOf(mine)).toHaveLength(expected.length);
    const { rows } = await pool.query<{ key: string; revision: number }>(
      `select key, revision from ${schemaOf(mine)}.orders`,
    );
    expect(new Map(rows.map((row) => [row.key, row.revision]))).toEqual(
      new Map(expected.map((row) => [row.key, row.revision])),
    );
  });

  it("reaches at least the position readers have seen when the follower continued meanwhile", async () => {
    const store = await storeOf(15, 5);
    const mine = fresh(ordersProjection);
    const tables = await create(mine);
    const options = { name: mine.name, version: mine.version, store, pool, newId: randomUUID };
    const follower = createFollower({ ...options, process: tables.apply });
    follower.start();
    let wasAtTheEnd = false;
    const overtaken: EventStore = {
      ...store,
      logId: () => store.logId(),
      eventAt: (position) => store.eventAt(position),
      async readAll(after, limit) {
        const batch = await store.readAll(after, limit);
        if (batch.length < limit && !wasAtTheEnd) {
          wasAtTheEnd = true;
          await happenIn(store, randomOrders(16, 5));
          await follower.caughtUpTo(await store.head(), patienceMs);
          await follower.stop();
        }
        return batch;
      },
    };
    await rebuild(mine, { pool, store: overtaken, newId: randomUUID });
    expect((await follower.status()).position).toBe(await store.head());
    expect(await rowsOf(mine)).toHaveLength(10);
  });

  it("repairs a read model after its log was restored, and resumes its follower", async () => {
    const mine = fresh(ordersProjection);
    const options = { name: mine.name, version: mine.version, pool, newId: randomUUID, leaseMs: 200 };
    const lost = await storeOf(11, 5);
    const tables = await create(mine);
    const before = createFollower({ ...options, store: lost, process: tables.apply });
    before.start();
    await before.caughtUpTo(await lost.head(), patienceMs);
    await before.stop();
    const store = await storeOf(12, 3);
    await rebuild(mine, { pool, store, newId: randomUUID });
    expect(await rowsOf(mine)).toHaveLength(3);
    const after = createFollower({ ...options, store, process: tables.apply });
    after.start();
    await happenIn(store, randomOrders(13, 1));
    expect(await after.caughtUpTo(await store.head(), patienceMs)).toBe(true);
    await after.stop();
    expect(await rowsOf(mine)).toHaveLength(4);
  });

  it("can follow another whose session the server has not ended yet", async () => {
    const mine = fresh(ordersProjection);
    const parts = { store: await storeOf(17, 1), newId: randomUUID };
    const { slow, end } = poolThatEndsLate();
    try {
      await rebuild(mine, { ...parts, pool: slow });
      await rebuild(mine, { ...parts, pool });
    } finally {
      end();
    }
    expect(await rowsOf(mine)).toHaveLength(1);
  });

  it("waits for a session that reads the live table, while its follower continues", async () => {
    const store = await storeOf(11, 5);
    const mine = fresh(ordersProjection);
    const tables = await create(mine);
    const options = { name: mine.name, version: mine.version, store, pool, newId: randomUUID };
    const follower = createFollower({ ...options, leaseMs: 200, process: tables.apply });
    follower.start();
    await follower.caughtUpTo(await store.head(), patienceMs);
    const reader = await pool.connect();
    await reader.query(`begin; select 1 from ${schemaOf(mine)}.orders limit 1`);
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      await happenIn(store, randomOrders(12 + pauses, 3));
      expect(await follower.caughtUpTo(await store.head(), patienceMs)).toBe(true);
      if (pauses === 2) await reader.query("commit");
    };
    const patience = { lockTimeoutMs: 50, pause };
    await rebuild(mine, { pool, store, newId: randomUUID, patience });
    reader.release();
    await follower.stop();
    expect(pauses).toBe(2);
    expect(await rowsOf(mine)).toHaveLength(
      foldRows(mine, new Map(), await store.readAll("", 100_000)).length,
    );
  });

  it("gives up after some tries, says which session is in the way, and leaves the rows as they were", async () => {
    const store = await storeOf(11, 5);
    const mine = fresh(ordersProjection);
    await create(mine);
    const reader = await pool.connect();
    await reader.query(`begin; select 1 from ${schemaOf(mine)}.orders limit 1`);
    const patience = { lockTimeoutMs: 400, tries: 2, pause: async () => undefined };
    const rebuilding = rebuild(mine, { pool, store, newId: randomUUID, patience });
    await expect(rebuilding).rejects.toThrow("In the way: process ");
    await reader.query("commit");
    reader.release();
    expect(await rowsOf(mine)).toEqual([]);
  });

  it("is refused while another is running", async () => {
    const mine = fresh(ordersProjection);
    const store = await storeOf(14, 3);
    const reading = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const slow: EventStore = {
      ...store,
      logId: () => store.logId(),
      async readAll(after, limit) {
        reading.resolve();
        await goOn.promise;
        return store.readAll(after, limit);
      },
    };
    const first = rebuild(mine, { pool, store: slow, newId: randomUUID });
    await reading.promise;
    await expect(rebuild(mine, { pool, store, newId: randomUUID })).rejects.toThrow(
      expect.objectContaining({ name: "RebuildRunning" }),
    );
    goOn.resolve();
    await first;
    expect(await rowsOf(mine)).toHaveLength(3);
  });
});

/** Connections that are given back to be closed stay open until `end`. */
function poolThatEndsLate() {
  const closing: (() => void)[] = [];
  const connect = async () => {
    const client = await pool.connect();
    const release = client.release.bind(client);
    client.release = (isToClose) => {
      if (isToClose) closing.push(() => release(true));
      else release();
    };
    return client;
  };
  const slow = new Proxy(pool, {
    get: (target, name) => {
      if (name === "connect") return connect;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const end = () => {
    for (const close of closing) close();
  };
  return { slow, end };
}

/** Counts the rows repeatedly; reports each time there were fewer than before, or none could be read. */
function countWatcher(table: string) {
  const complaints: string[] = [];
  let most = 0;
  let watching = true;
  const watched = (async () => {
    while (watching) {
      const { rows } = await pool.query<{ n: number }>({
        name: `count-${table}`,
        text: `select count(*) as n from ${table}`,
      });
      const now = rows[0]?.n ?? 0;
      if (now < most) complaints.push(`${now} rows after ${most}`);
      most = Math.max(most, now);
    }
  })();
  return {
    async stop() {
      watching = false;
      await watched;
      return complaints;
    },
  };
}
