import { afterAll, beforeAll, expect, it } from "vitest";
import { orderStatuses } from "../domain/order/status.ts";
import { createMemoryEventStore } from "../infra/event-store/memory-event-store.ts";
import { createPool, inTransaction, type Pool } from "../infra/postgres/pool.ts";
import { testDatabase } from "../infra/postgres/test-database.ts";
import { type OrderListEntry, type OrderListRequest, orderList } from "./order-list.ts";
import { orderLookup } from "./order-lookup.ts";
import { createOrderQueries, type OrderQueries } from "./order-queries.ts";
import { happenIn, randomOrders } from "./random-orders-fixture.ts";
import { tablesOf } from "./read-model-tables.ts";

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
  for (const tables of [tablesOf(orderLookup), tablesOf(orderList)])
    await inTransaction(pool, async (client) => {
      await tables.create(client);
      await tables.apply(client, events);
    });
  queries = createOrderQueries(pool);
  all = (await queries.listOrders({ limit: 200 })).orders;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it("finds an order by its id and by its number, however that is typed", async () => {
  const [line] = all;
  if (!line) throw new Error("There are orders.");
  const order = await queries.getOrder(line.orderId);
  expect(order).toMatchObject({ orderId: line.orderId, orderNumber: line.orderNumber, status: line.status });
  const { orderNumber } = line;
  const typings = [orderNumber, orderNumber.toLowerCase(), ` ${orderNumber.replaceAll("-", " ")} `];
  for (const typed of typings) expect(await queries.lookup(typed)).toEqual(order);
});

it("finds nothing under a number that is none, another order's, or an id that is none", async () => {
  expect(await queries.lookup("")).toBeUndefined();
  expect(await queries.lookup("not a number")).toBeUndefined();
  expect(await queries.lookup("0000-0000-00000")).toBeUndefined();
  expect(await queries.getOrder("'; drop schema order_lookup_v1 cascade; --")).toBeUndefined();
  expect(await queries.getOrder(all[0]?.orderId ?? "")).toBeDefined();
});

it("answers many lookups at once, each with its own order", async () => {
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) => queries.lookup(all[n % all.length]?.orderNumber ?? "")),
  );
  expect(answers.map((answer) => answer?.orderId)).toEqual(
    Array.from({ length: 500 }, (_, n) => all[n % all.length]?.orderId),
  );
});

async function everyPage(request: OrderListRequest): Promise<OrderListEntry[]> {
  const pages: OrderListEntry[] = [];
  let after: OrderListRequest["after"];
  for (let page = 0; page <= ordersInAll; page++) {
    const { orders, next } = await queries.listOrders({ ...request, after });
    pages.push(...orders);
    if (next === null) return pages;
    after = next;
  }
  throw new Error("The pages never end.");
}

it("lists every order once, newest first, page by page", async () => {
  expect(all).toHaveLength(ordersInAll);
  const keys = all.map((order) => `${order.createdAt} ${order.orderId}`);
  expect(keys).toEqual([...keys].sort().reverse());
  for (const limit of [1, 7, 60, 200]) expect(await everyPage({ limit })).toEqual(all);
});

it("lists the orders of one status", async () => {
  for (const status of orderStatuses)
    expect(await everyPage({ status, limit: 3 })).toEqual(all.filter((order) => order.status === status));
  expect(new Set(all.map((order) => order.status)).size).toBeGreaterThan(2);
});

it("keeps a page within 1 and 200 orders", async () => {
  expect((await queries.listOrders({ limit: 0 })).orders).toHaveLength(1);
  expect((await queries.listOrders({ limit: -5 })).orders).toHaveLength(1);
  expect((await queries.listOrders({ limit: 1e9 })).orders).toHaveLength(ordersInAll);
  expect((await queries.listOrders({})).orders).toHaveLength(50);
});

it("shows an order that arrives between two pages on neither, and shifts nothing", async () => {
  const first = await queries.listOrders({ limit: 10 });
  await pool.query(
    `insert into order_list_v1.orders (key, revision, folded, created_at, status, entry)
     values ('newcomer', 0, '{}', '2027-01-01', 'Pending', '{"orderId": "newcomer"}')`,
  );
  const second = await queries.listOrders({ limit: 10, after: first.next ?? undefined });
  await pool.query("delete from order_list_v1.orders where key = 'newcomer'");
  expect([...first.orders, ...second.orders]).toEqual(all.slice(0, 20));
});
