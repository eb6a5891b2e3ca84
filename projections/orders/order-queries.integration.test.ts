import { afterAll, beforeAll, expect, it } from "vitest";
import { createPool, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { happenIn, randomOrders } from "../../testing/projections/random-orders-fixture.ts";
import { tablesOf } from "../runner/read-model-tables.ts";
import type { OrderListEntry } from "./order-list-columns.ts";
import { createOrderQueries, type OrderQueries } from "./order-queries.ts";
import { ordersProjection } from "./orders.ts";

const ordersInAll = 60;

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let queries: OrderQueries;
let all: readonly OrderListEntry[];
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  const store = createMemoryEventStore();
  await happenIn(store, randomOrders(21, ordersInAll));
  const events = await store.readAll("", 100_000);
  const tables = tablesOf(ordersProjection);
  await inTransaction(pool, async (client) => {
    await tables.create(client);
    await tables.apply(client, events);
  });
  queries = createOrderQueries(pool);
  const now = new Date().toISOString();
  all = (await queries.listOrders({ filter: {}, sort: "created", descending: true, limit: 200, now })).orders;
  expect(all).toHaveLength(ordersInAll);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it("finds an order by its id, and by its number however typed", async () => {
  const [line] = all;
  if (!line) throw new Error("There are orders.");
  const order = await queries.getOrder(line.orderId);
  expect(order).toMatchObject({ orderId: line.orderId, orderNumber: line.orderNumber, status: line.status });
  const { orderNumber } = line;
  const typings = [orderNumber, orderNumber.toLowerCase(), ` ${orderNumber.replaceAll("-", " ")} `];
  for (const typed of typings) expect(await queries.lookup(typed)).toEqual(order);
});

it("finds nothing for an invalid number, another order's, or an invalid id", async () => {
  expect(await queries.lookup("")).toBeUndefined();
  expect(await queries.lookup("not a number")).toBeUndefined();
  expect(await queries.lookup("0000-0000-00000")).toBeUndefined();
  expect(await queries.getOrder("'; drop schema orders_v6 cascade; --")).toBeUndefined();
  expect(await queries.getOrder(all[0]?.orderId ?? "")).toBeDefined();
});

it("answers concurrent lookups, each with its order", async () => {
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) => queries.lookup(all[n % all.length]?.orderNumber ?? "")),
  );
  expect(answers.map((answer) => answer?.orderId)).toEqual(
    Array.from({ length: 500 }, (_, n) => all[n % all.length]?.orderId),
  );
});
