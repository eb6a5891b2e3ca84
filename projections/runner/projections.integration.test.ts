import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { orderIdOf } from "../../domain/order/events.ts";
import type { EventStore, Position } from "../../infra/event-store/event-store.ts";
import { listParked } from "../../infra/following/parked-streams.ts";
import { createSubscription } from "../../infra/following/subscription/subscription.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { type Happening, happenIn, randomOrders } from "../../testing/projections/random-orders-fixture.ts";
import { openTestLog, type TestLog } from "../../testing/projections/test-log-fixture.ts";
import { patienceMs } from "../../testing/setup/patience.ts";
import { catalogue } from "../catalogue.ts";
import { ordersProjection } from "../orders/orders.ts";
import { schemaOf } from "./projection.ts";
import { createProjections, type Projections } from "./projections.ts";
import { runProjection } from "./runner.ts";
import { dropOldVersions } from "./version-uses.ts";

const now = () => new Date();

let log: TestLog;
let pool: Pool;
let store: EventStore;
beforeEach(async () => {
  log = await openTestLog();
  ({ pool, store } = log);
});
afterEach(() => log.end());

async function start(more: Partial<Parameters<typeof createProjections>[0]> = {}): Promise<Projections> {
  const projections = createProjections({ pool, store, newId: randomUUID, now, leaseMs: 300, ...more });
  log.started.push(projections);
  await projections.start();
  return projections;
}

async function happen(happenings: readonly Happening[]): Promise<Position> {
  await happenIn(store, happenings);
  return store.head();
}

const orderIdIn = ([first]: readonly Happening[]) => orderIdOf(first?.stream ?? "") ?? "";

it("shows callers their own write after waiting for its position", async () => {
  const projections = await start();
  for (const seed of [1, 2, 3]) {
    const order = randomOrders(seed, 1);
    const position = await happen(order);
    expect(await projections.waitFor(position, patienceMs)).toBe(true);
    expect(await projections.queries.getOrder(orderIdIn(order))).toBeDefined();
  }
});

it("shows a read-only process what another process folds", async () => {
  const reader = await start({ fold: false });
  const order = randomOrders(4, 1);
  const position = await happen(order);
  expect(await reader.waitFor(position, 30)).toBe(false);
  expect(await reader.queries.getOrder(orderIdIn(order))).toBeUndefined();
  await start();
  expect(await reader.waitFor(position, patienceMs)).toBe(true);
  expect(await reader.queries.getOrder(orderIdIn(order))).toBeDefined();
});

it("times out waiting for a future position", async () => {
  const projections = await start();
  await happen(randomOrders(5, 1));
  expect(await projections.waitFor("99999999999999999999", 30)).toBe(false);
});

it("is ready once it has reached the initial end of the log, and stays ready while it grows", async () => {
  await happen(randomOrders(6, 20));
  const idle = await start({ fold: false });
  expect((await idle.ready()).map(({ name, state }) => [name, state])).toEqual(
    catalogue.map(({ name }) => [name, "catching-up"]),
  );
  expect((await idle.ready()).every(({ behindMs }) => behindMs > 0)).toBe(true);
  await start();
  await expect
    .poll(() => idle.ready())
    .toMatchObject(catalogue.map(({ name }) => ({ name, state: "ready", behindMs: 0, reason: null })));
  await Promise.all(log.started.splice(1).map((part) => part.stop()));
  await happen(randomOrders(7, 20));
  expect((await idle.ready()).every(({ state, behindMs }) => state === "ready" && behindMs > 0)).toBe(true);
});

it("stays ready at an unreadable event, and shows later orders", async () => {
  const projections = await start();
  const [bad] = randomOrders(9, 1);
  if (!bad) throw new Error("An order has a first event.");
  await happen([{ ...bad, event: { ...bad.event, type: "OrderTeleported" } }]);
  const good = randomOrders(8, 1);
  expect(await projections.waitFor(await happen(good), patienceMs)).toBe(true);
  expect((await projections.ready()).map(({ state }) => state)).toEqual(catalogue.map(() => "ready"));
  expect(await projections.queries.getOrder(orderIdIn(good))).toBeDefined();
  expect(await projections.queries.getOrder(orderIdIn([bad]))).toBeUndefined();
  const parked = (await listParked(pool, catalogue, 10)).map(({ name, reason }) => [name, reason]);
  expect(parked).toEqual([["orders", "unknown-type"]]);
});

it("reports that its position is in another log when the log was replaced by another kind", async () => {
  await happen(randomOrders(8, 1));
  const before = await start();
  await expect.poll(async () => (await before.ready()).every(({ state }) => state === "ready")).toBe(true);
  await before.stop();
  await pool.query("update followers set position = 'a place of another kind'");
  const after = await start();
  await expect
    .poll(async () => (await after.ready()).map(({ state, reason, behindMs }) => [state, reason, behindMs]))
    .toEqual(catalogue.map(() => ["stopped", "log-unreadable", 0]));
});

it("folds two versions side by side, and drops the old one only when no process folds it", async () => {
  const next = { ...ordersProjection, version: ordersProjection.version + 1 };
  const [old, newer] = [ordersProjection, next].map((projection) => {
    const subscription = createSubscription({ name: "read-models", pool, store, newId: randomUUID });
    const running = runProjection(projection, { pool, store, subscription });
    log.started.push(running);
    return { projection, running };
  });
  if (!old || !newer) throw new Error("There are two.");
  const position = await happen(randomOrders(10, 10));
  for (const { running } of [old, newer]) {
    await running.prepare();
    running.start();
    expect(await running.waitFor(position, patienceMs)).toBe(true);
  }
  const keysOf = async (projection: typeof ordersProjection) =>
    (await pool.query(`select key, answer from ${schemaOf(projection)}.orders order by key`)).rows;
  expect(await keysOf(next)).toEqual(await keysOf(ordersProjection));

  expect(await dropOldVersions(pool, next)).toEqual({ dropped: [], stillUsed: [ordersProjection.version] });
  await old.running.stop();
  expect(await dropOldVersions(pool, next)).toEqual({ dropped: [ordersProjection.version], stillUsed: [] });
  await expect(keysOf(ordersProjection)).rejects.toThrow("does not exist");
  expect(await newer.running.waitFor(await happen(randomOrders(11, 1)), patienceMs)).toBe(true);
});

it("lets many processes create the tables at once", async () => {
  await Promise.all(Array.from({ length: 8 }, () => start()));
  const held = "select count(*) as n from follower_checkpoints where lease_until > now()";
  await expect.poll(async () => (await pool.query(held)).rows).toEqual([{ n: catalogue.length }]);
});
