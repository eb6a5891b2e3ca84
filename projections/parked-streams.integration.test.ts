import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { orderIdOf } from "../domain/order/events.ts";
import type { EventStore, StoredEvent } from "../infra/event-store/event-store.ts";
import { askForRetry, listParked } from "../infra/following/parked-streams.ts";
import { createSubscription } from "../infra/following/subscription/subscription.ts";
import { createPool, type Pool } from "../infra/postgres/pool.ts";
import { createMemoryEventStore, createMemoryLog } from "../testing/event-store/memory-event-store.ts";
import { testDatabase } from "../testing/postgres/test-database.ts";
import { happenIn, randomOrders } from "../testing/projections/random-orders-fixture.ts";
import { foldedRowsOf } from "../testing/projections/read-model-fixture.ts";
import { patienceMs, soon } from "../testing/setup/patience.ts";
import { ordersProjection } from "./orders/orders.ts";
import { accessLog } from "./registers/access-log.ts";
import { purgeRegister } from "./registers/purge-register.ts";
import type { Projection } from "./runner/projection.ts";
import { rebuild } from "./runner/rebuild-projection.ts";
import { type RunningProjection, runProjection } from "./runner/runner.ts";
import { foldRows } from "./runner/table-writer.ts";

// One order that a read model cannot fold: the others continue, its visible state stays right, and it catches up once
// fixed.

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let log: ReturnType<typeof createMemoryLog>;
let store: EventStore;
let running: RunningProjection[];
beforeEach(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  log = createMemoryLog();
  store = createMemoryEventStore({ log });
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await pool.end();
  await database.drop();
});

async function start<State>(projection: Projection<State>): Promise<RunningProjection> {
  const options = { name: "read-models", pool, store, newId: randomUUID, leaseMs: 300 };
  const one = runProjection(projection, { pool, store, subscription: createSubscription(options) });
  running.push(one);
  await one.prepare();
  one.start();
  return one;
}

const parked = async (projection: { name: string; version: number }) =>
  (await listParked(pool, [projection], 100)).map(({ stream, reason, revision }) => ({
    stream,
    reason,
    revision,
  }));

type Row = { key: string; revision: number; folded: unknown };
const byKey = (one: Row, other: Row) => (one.key < other.key ? -1 : 1);

const rowsOf = <State>(projection: Projection<State>) => foldedRowsOf(pool, projection);

/** The read model's expected rows after some events, without a database. */
function folded<State>(projection: Projection<State>, events: readonly StoredEvent[]): Row[] {
  const rows: Row[] = foldRows(projection, new Map(), events);
  return JSON.parse(JSON.stringify(rows.sort(byKey)));
}

/** The event to spoil: in the middle of a long order that the read model keeps. */
function victimOf<State>(projection: Projection<State>): StoredEvent {
  const streams = Map.groupBy(log.events, ({ stream }) => stream);
  for (const events of streams.values()) {
    const kept = events.find(
      (event) => event.revision > 0 && projection.keyOf(event.stream, event) !== undefined,
    );
    if (kept && events.length > kept.revision + 2) return kept;
  }
  throw new Error("No order is long enough.");
}

type Spoil = (event: StoredEvent) => StoredEvent;
const unknownType: Spoil = (event) => ({ ...event, metadata: { ...event.metadata, schemaVersion: 99 } });
const invalidEvent: Spoil = (event) => ({ ...event, data: { nonsense: true } });
const outOfPlace: Spoil = (event) => ({ ...event, revision: event.revision + 1 });
const createdTwice: Spoil = (event) => {
  const first = log.events.find(({ stream }) => stream === event.stream);
  const metadata = { ...event.metadata, schemaVersion: first?.metadata.schemaVersion ?? 1 };
  return { ...event, type: "OrderCreated", data: first?.data ?? {}, metadata };
};

const orderModels = [
  ["unknown-type", unknownType],
  ["invalid-event", invalidEvent],
  ["chain-broken", outOfPlace],
  ["fold-failed", createdTwice],
] as const;
const registers = [
  ["unknown-type", unknownType],
  ["invalid-event", invalidEvent],
] as const;

/** Spoils an event and checks that all other orders continue; then repairs it and checks that nothing is missing. */
async function spoilAndMend<State>(projection: Projection<State>, reason: string, spoil: Spoil) {
  await happenIn(store, randomOrders(1, 200));
  const whole = [...log.events];
  const victim = victimOf(projection);
  const { stream, revision, position } = victim;
  log.events[whole.indexOf(victim)] = spoil(victim);
  const one = await start(projection);
  expect(await one.waitFor(await store.head(), patienceMs)).toBe(true);
  expect(await parked(projection)).toEqual([{ stream, reason, revision: expect.any(Number) }]);
  expect(await one.health(new Date())).toMatchObject({ state: "ready", reason: null });
  const readable = whole.filter((event) => event.stream !== stream || event.revision < revision);
  expect(await rowsOf(projection)).toEqual(folded(projection, readable));
  expect((await parkedPositions(projection))[0]).toBe(position);

  log.events[whole.indexOf(victim)] = victim;
  expect(await askForRetry(pool, [projection], stream)).toBe(1);
  await expect.poll(() => parked(projection), soon).toEqual([]);
  await happenIn(store, randomOrders(2, 5));
  expect(await one.waitFor(await store.head(), patienceMs)).toBe(true);
  expect(await rowsOf(projection)).toEqual(folded(projection, log.events));
}

const parkedPositions = async (projection: { name: string; version: number }) =>
  (await listParked(pool, [projection], 100)).map(({ position }) => position);

describe("A read model of orders parks an unreadable stream, and catches up once it is fixed:", () => {
  it.each(orderModels)("%s", (reason, spoil) => spoilAndMend(ordersProjection, reason, spoil));
});

describe("So does a register, which has a row for each event:", () => {
  it.each(registers)("%s, in that of purges", (reason, spoil) => spoilAndMend(purgeRegister, reason, spoil));
  it.each(registers)("%s, in that of reveals", (reason, spoil) => spoilAndMend(accessLog, reason, spoil));
});

/** The order list with a table that refuses one order from a revision on. */
const refusing = (orderId: string, revision: number): Projection<{ order: unknown; at: number }> => ({
  name: "refusing-list",
  version: 1,
  keyOf: orderIdOf,
  table: {
    name: "orders",
    columns: { total_pence: "integer" },
    indexes: [],
    row: ({ at, order }) => ({ total_pence: order === orderId && at >= revision ? 2 ** 40 : 1 }),
  },
  fold: (_state, event) => ({ order: orderIdOf(event.stream), at: event.revision }),
});

describe("A row refused by its table", () => {
  it("parks only its order, wherever in the batch it is", async () => {
    await happenIn(store, randomOrders(3, 60));
    const { stream, revision } = victimOf(ordersProjection);
    const projection = refusing(orderIdOf(stream) ?? "", revision);
    const one = await start(projection);
    expect(await one.waitFor(await store.head(), patienceMs)).toBe(true);
    expect(await parked(projection)).toEqual([{ stream, reason: "row-refused", revision }]);
    const readable = log.events.filter((event) => event.stream !== stream || event.revision < revision);
    expect(await rowsOf(projection)).toEqual(folded(projection, readable));
  });

  it("is omitted from a rebuild, which swaps in all the others", async () => {
    await happenIn(store, randomOrders(4, 60));
    const { stream, revision } = victimOf(ordersProjection);
    const projection = refusing(orderIdOf(stream) ?? "", revision);
    await rebuild(projection, { pool, store, newId: randomUUID });
    expect(await parked(projection)).toEqual([{ stream, reason: "row-refused", revision }]);
    const readable = log.events.filter((event) => event.stream !== stream || event.revision < revision);
    expect(await rowsOf(projection)).toEqual(folded(projection, readable));
  });

  it("is found by a rebuild, also when only an index refuses it", async () => {
    await happenIn(store, randomOrders(5, 20));
    const [first, second] = [...new Set(log.events.map((event) => event.stream))];
    const projection: Projection<string> = {
      ...refusing("", 0),
      table: {
        name: "orders",
        columns: { number: "text" },
        indexes: [{ unique: true, on: "(number)" }],
        row: (stream) => ({ number: stream === second ? first : stream }),
      },
      fold: (_state, event) => event.stream,
    };
    await rebuild(projection, { pool, store, newId: randomUUID });
    const one = [first, second].filter((stream) => stream !== undefined);
    expect(await parked(projection)).toEqual([
      { stream: expect.any(String), reason: "row-refused", revision: 0 },
    ]);
    expect(one).toContain((await parked(projection))[0]?.stream);
  });
});

describe("A rebuild", () => {
  it("unparks streams that can now be folded", async () => {
    await happenIn(store, randomOrders(6, 20));
    const victim = victimOf(ordersProjection);
    const at = log.events.indexOf(victim);
    log.events[at] = invalidEvent(victim);
    const one = await start(ordersProjection);
    expect(await one.waitFor(await store.head(), patienceMs)).toBe(true);
    expect(await parked(ordersProjection)).toHaveLength(1);
    log.events[at] = victim;
    await rebuild(ordersProjection, { pool, store, newId: randomUUID });
    expect(await parked(ordersProjection)).toEqual([]);
    await happenIn(store, randomOrders(7, 5));
    expect(await one.waitFor(await store.head(), patienceMs)).toBe(true);
    expect(await rowsOf(ordersProjection)).toEqual(folded(ordersProjection, log.events));
  });

  it("fails at an error unrelated to an event, and changes nothing", async () => {
    await happenIn(store, randomOrders(8, 3));
    const projection: Projection<number> = {
      ...refusing("", 0),
      table: {
        name: "orders",
        columns: {},
        indexes: [{ unique: false, on: "(no_such_column)" }],
        row: () => ({}),
      },
      fold: () => 1,
    };
    await expect(rebuild(projection, { pool, store, newId: randomUUID })).rejects.toThrow("no_such_column");
    expect(await parked(projection)).toEqual([]);
  });
});
