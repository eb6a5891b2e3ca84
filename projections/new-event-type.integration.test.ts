import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { orderEventSchema, orderEventSchemas, orderIdOf } from "../domain/order/events.ts";
import type { EventStore, NewEvent } from "../infra/event-store/event-store.ts";
import { listParked } from "../infra/following/parked-streams.ts";
import type { Pool } from "../infra/postgres/pool.ts";
import { happenIn, randomOrders } from "../testing/projections/random-orders-fixture.ts";
import { openTestLog, type TestLog } from "../testing/projections/test-log-fixture.ts";
import { patienceMs, soon } from "../testing/setup/patience.ts";
import { catalogue } from "./catalogue.ts";
import { ordersProjection } from "./orders/orders.ts";
import { type CataloguedProjection, catalogued } from "./runner/catalogued-projection.ts";
import { eventReader, type Projection } from "./runner/projection.ts";
import { createProjections, type Projections } from "./runner/projections.ts";

// A new event type takes two deploys: first all code that reads it, then the code that appends it. Here notes are the
// new type: the old build does not know them, this code does.

const { NoteAdded: _new, ...typesOfOldBuild } = orderEventSchemas;
const readAsOldBuild = eventReader(typesOfOldBuild, orderEventSchema);

const unaware = <State>(projection: Projection<State>): Projection<State> => ({
  ...projection,
  fold: (state, event) => {
    readAsOldBuild(event);
    return projection.fold(state, event);
  },
});

const only = (name: string) => catalogue.filter((entry) => entry.name === name);
const oldBuild = [catalogued(unaware(ordersProjection))];
const readingBuild = only("orders");
/** The same build, if reading the new type required a new version of the read model. */
const readingBuildOfNextVersion = [
  catalogued({ ...ordersProjection, version: ordersProjection.version + 1 }),
];

const leaseMs = 400;

let log: TestLog;
let pool: Pool;
let store: EventStore;
beforeEach(async () => {
  log = await openTestLog();
  ({ pool, store } = log);
});
afterEach(() => log.end());

async function start(build: readonly CataloguedProjection[]): Promise<Projections> {
  const more = { newId: randomUUID, now: () => new Date(), leaseMs, catalogue: build };
  const projections = createProjections({ pool, store, ...more });
  log.started.push(projections);
  await projections.start();
  return projections;
}

const standing = async (projections: Projections) => (await projections.ready())[0];
const rows = async (version = ordersProjection.version) =>
  (
    await pool.query<{ key: string; revision: number }>(
      `select key, revision from orders_v${version}.orders order by key`,
    )
  ).rows;

const revisionOf = async (stream: string, version = ordersProjection.version) =>
  (await rows(version)).find(({ key }) => key === orderIdOf(stream))?.revision;

/** Opens an order and adds a note. Returns its stream. */
async function appendNote(seed: number): Promise<string> {
  const [opened] = randomOrders(seed, 1, 1);
  if (!opened) throw new Error("An order has a first event.");
  await happenIn(store, [opened]);
  const note: NewEvent = {
    ...opened.event,
    id: randomUUID(),
    type: "NoteAdded",
    data: { noteRef: randomUUID() },
    metadata: { ...opened.event.metadata, schemaVersion: orderEventSchemas.NoteAdded.version },
  };
  await store.append({ stream: opened.stream, expectedRevision: 0, events: [note] });
  return opened.stream;
}

const opened = (seed: number, orders: number) => happenIn(store, randomOrders(seed, orders, 1));

it("parks streams the old build cannot read, while the new version continues alongside it", async () => {
  await opened(1, 20);
  const old = await start(oldBuild);
  const newer = await start(readingBuildOfNextVersion);
  const before = await store.head();
  for (const one of [old, newer]) expect(await one.waitFor(before, patienceMs)).toBe(true);
  const stream = await appendNote(2);
  await opened(3, 5);
  const end = await store.head();
  for (const one of [old, newer]) expect(await one.waitFor(end, patienceMs)).toBe(true);
  for (const one of [old, newer])
    expect(await standing(one)).toMatchObject({ state: "ready", reason: null, behindMs: 0 });
  const parked = await listParked(pool, [ordersProjection], 10);
  expect(parked).toMatchObject([{ stream, revision: 1, reason: "unknown-type" }]);
  expect(await rows()).toHaveLength(26);
  expect(await rows(ordersProjection.version + 1)).toHaveLength(26);
  expect(await revisionOf(stream)).toBe(0);
  expect(await revisionOf(stream, ordersProjection.version + 1)).toBe(1);
});

it("hands a version folded by both builds to the one that reads the new type", async () => {
  await opened(4, 20);
  const old = await start(oldBuild);
  expect(await old.waitFor(await store.head(), patienceMs)).toBe(true);
  const reading = await start(readingBuild);
  // The old build holds the lease when the event arrives.
  const stream = await appendNote(5);
  await opened(6, 5);
  expect(await reading.waitFor(await store.head(), patienceMs)).toBe(true);
  await vi.waitFor(async () => expect(await revisionOf(stream)).toBe(1), soon);
  expect(await listParked(pool, [ordersProjection], 10)).toEqual([]);
  for (const one of [old, reading])
    expect(await standing(one)).toMatchObject({ state: "ready", reason: null });
  expect(await rows()).toHaveLength(26);
});

it("catches up with streams parked by the old build once that is replaced, without repairs", async () => {
  const old = await start(oldBuild);
  const stream = await appendNote(7);
  await opened(8, 5);
  expect(await old.waitFor(await store.head(), patienceMs)).toBe(true);
  expect(await listParked(pool, [ordersProjection], 10)).toHaveLength(1);
  await old.stop();
  const reading = await start(readingBuild);
  await vi.waitFor(async () => expect(await revisionOf(stream)).toBe(1), soon);
  expect(await listParked(pool, [ordersProjection], 10)).toEqual([]);
  expect(await standing(reading)).toMatchObject({ state: "ready", reason: null });
  expect(await rows()).toHaveLength(6);
});

it("keeps every check healthy over two deploys: readers first, then writers", async () => {
  const red: string[] = [];
  const look = async (...all: readonly Projections[]) => {
    for (const one of all) {
      const { state, reason } = (await standing(one)) ?? {};
      if (state === "stopped") red.push(`${reason}`);
    }
    red.push(...(await listParked(pool, [ordersProjection], 10)).map(({ stream }) => stream));
  };
  await opened(9, 10);
  const old = await start(oldBuild);
  // The first deploy: both run, and neither appends the new type.
  const reading = await start(readingBuild);
  await opened(10, 10);
  for (const one of [old, reading]) expect(await one.waitFor(await store.head(), patienceMs)).toBe(true);
  await look(old, reading);
  await old.stop();
  // The second: builds that append it run alongside those that only read it.
  const writing = await start(readingBuild);
  for (let seed = 20; seed < 25; seed++) {
    await appendNote(seed);
    await look(reading, writing);
  }
  for (const one of [reading, writing]) expect(await one.waitFor(await store.head(), patienceMs)).toBe(true);
  await look(reading, writing);
  expect(red).toEqual([]);
  expect(await rows()).toHaveLength(25);
});
