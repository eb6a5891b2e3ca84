import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDays, addSeconds } from "../../domain/instant.ts";
import { orderDecider } from "../../domain/order/decide.ts";
import { orderStream } from "../../domain/order/events.ts";
import {
  awaitedBy,
  lastingQueues,
  type OrderSort,
  orderSorts,
  purgeWaitsSince,
  type WorkQueue,
  workQueues,
} from "../../domain/order/staff/work-queues.ts";
import { absent, exists, type Order, type OrderState } from "../../domain/order/state.ts";
import { orderStatuses, statusOf } from "../../domain/order/status.ts";
import { submissionStuckAt } from "../../domain/order/submission/submission-window.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { createPool, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { queuesOf } from "../../testing/domain/order-fixture.ts";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { happenIn, randomOf, randomOrders } from "../../testing/projections/random-orders-fixture.ts";
import { tablesOf } from "../runner/read-model-tables.ts";
import { type EntryRow, entryColumns, entryOf, type OrderListEntry } from "./order-list-columns.ts";
import {
  type OrderListQueries,
  type OrderListRequest,
  orderListQueries,
  queuesOfEntry,
} from "./order-list-queries.ts";
import type { OrderFilter } from "./order-list-statements.ts";
import { readOrderEvent } from "./order-record.ts";
import { ordersProjection, ordersTable } from "./orders.ts";

const ordersInAll = 400;

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let queries: OrderListQueries;
let events: readonly StoredEvent[];
let all: readonly OrderListEntry[];
let last: string;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  const store = createMemoryEventStore();
  await happenIn(store, randomOrders(72, ordersInAll, 24));
  events = await store.readAll("", 100_000);
  const tables = tablesOf(ordersProjection);
  await inTransaction(pool, async (client) => {
    await tables.create(client);
    await tables.apply(client, events);
  });
  queries = orderListQueries(pool);
  all = (await pool.query<EntryRow>(`select ${entryColumns} from ${ordersTable}`)).rows.map(entryOf);
  last =
    all
      .map(({ updatedAt }) => updatedAt)
      .toSorted()
      .at(-1) ?? "";
  expect(all).toHaveLength(ordersInAll);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const newest: Omit<OrderListRequest, "limit" | "now"> = { filter: {}, sort: "created", descending: true };

/** Every page from first to last, then back again. */
async function everyPage(
  request: Partial<OrderListRequest> & { limit: number },
): Promise<readonly OrderListEntry[]> {
  const asked = { ...newest, now: last, ...request };
  const pages: (readonly OrderListEntry[])[] = [];
  let page = await queries.listOrders(asked);
  pages.push(page.orders);
  while (page.next) {
    page = await queries.listOrders({ ...asked, after: page.next });
    pages.push(page.orders);
    if (pages.length > ordersInAll) throw new Error("There is no last page.");
  }
  const back = [page.orders];
  while (page.previous) {
    page = await queries.listOrders({ ...asked, before: page.previous });
    back.unshift(page.orders);
    if (back.length > ordersInAll) throw new Error("There is no first page.");
  }
  expect(back.flat()).toEqual(pages.flat());
  return pages.flat();
}

const sortedBy: Record<OrderSort, (entry: OrderListEntry) => string> = {
  created: ({ createdAt }) => createdAt,
  paid: ({ paidAt }) => paidAt ?? "9999",
  updated: ({ updatedAt }) => updatedAt,
  total: ({ totalPence }) => String(totalPence).padStart(9, "0"),
  despatch: ({ despatchBy }) => despatchBy ?? "9999",
};

function sorted(entries: readonly OrderListEntry[], sort: OrderSort, descending: boolean): OrderListEntry[] {
  const keyOf = (entry: OrderListEntry) => `${sortedBy[sort](entry)} ${entry.orderId}`;
  const ascending = entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return descending ? ascending.reverse() : ascending;
}

it.each(orderSorts.flatMap((sort) => [true, false].map((descending) => ({ sort, descending }))))(
  "lists every order once, sorted by $sort (descending: $descending), page by page and back",
  async ({ sort, descending }) => {
    const expected = sorted(all, sort, descending);
    for (const limit of [37, 200]) expect(await everyPage({ sort, descending, limit })).toEqual(expected);
  },
);

it("lists the orders that match a filter, in every sort order", async () => {
  const paidFrom = all
    .map(({ paidAt }) => paidAt)
    .filter((at) => at !== null)
    .toSorted()[60];
  const filters: { filter: OrderFilter; passes: (entry: OrderListEntry) => boolean }[] = [
    ...orderStatuses.map((status) => ({
      filter: { statuses: [status] },
      passes: (entry: OrderListEntry) => entry.status === status,
    })),
    {
      filter: { phases: ["Paid", "Submitted"] },
      passes: ({ phase }) => phase === "Paid" || phase === "Submitted",
    },
    {
      filter: { certificateTypes: ["Birth"], serviceLevels: ["standard"] },
      passes: ({ certificateType }) => certificateType === "Birth",
    },
    { filter: { certificateTypes: ["Death"] }, passes: () => false },
    { filter: { paid: {} }, passes: ({ paidAt }) => paidAt !== null },
    { filter: { promised: true }, passes: ({ despatchBy }) => despatchBy !== null },
    {
      filter: { paid: { from: paidFrom }, statuses: ["Processing"] },
      passes: ({ paidAt, status }) =>
        status === "Processing" && paidAt !== null && paidAt >= (paidFrom ?? ""),
    },
    {
      filter: { created: { before: all[9]?.createdAt } },
      passes: ({ createdAt }) => createdAt < (all[9]?.createdAt ?? ""),
    },
  ];
  for (const { filter, passes } of filters)
    for (const sort of orderSorts)
      expect(await everyPage({ filter, sort, limit: 50 })).toEqual(sorted(all.filter(passes), sort, true));
  expect(new Set(all.map(({ status }) => status)).size).toBeGreaterThan(3);
});

describe("with orders of one payment beside each other", () => {
  /** Each after the first of its payment, in the order of the list. */
  function grouped(entries: readonly OrderListEntry[]): OrderListEntry[] {
    return [...Map.groupBy(entries, ({ checkoutId, orderId }) => checkoutId ?? orderId).values()].flat();
  }

  it.each(orderSorts.flatMap((sort) => [true, false].map((descending) => ({ sort, descending }))))(
    "lists every order once, sorted by $sort (descending: $descending), page by page and back",
    async ({ sort, descending }) => {
      const expected = grouped(sorted(all, sort, descending));
      for (const limit of [25, 200])
        expect(await everyPage({ grouped: true, sort, descending, limit })).toEqual(expected);
    },
  );

  it("lists only those that match a filter", async () => {
    const [paidFrom] = all
      .flatMap(({ paidAt }) => paidAt ?? [])
      .toSorted()
      .slice(60);
    const filters: { filter: OrderFilter; passes: (entry: OrderListEntry) => boolean }[] = [
      { filter: { statuses: ["Processing"] }, passes: ({ status }) => status === "Processing" },
      { filter: { paid: { from: paidFrom } }, passes: ({ paidAt }) => (paidAt ?? "") >= (paidFrom ?? "") },
      {
        filter: { queue: "refundPending" },
        passes: (entry) => queuesOfEntry(entry, last).includes("refundPending"),
      },
    ];
    for (const { filter, passes } of filters)
      for (const sort of orderSorts) {
        const expected = grouped(sorted(all.filter(passes), sort, true));
        expect(await everyPage({ grouped: true, filter, sort, limit: 10 })).toEqual(expected);
        expect(expected.length).toBeGreaterThan(10);
      }
  });

  it("does not divide a payment between two pages", async () => {
    const { orders } = await queries.listOrders({ ...newest, grouped: true, limit: 20, now: last });
    expect(new Set(orders.map(({ checkoutId, orderId }) => checkoutId ?? orderId)).size).toBe(20);
    expect(orders.length).toBeGreaterThan(20);
  });
});

it.each<OrderFilter>([{}, { paid: {} }])(
  "exports every order once, though all of them change after the first were read: %j",
  async (filter) => {
    const client = await pool.connect();
    const exported: OrderListEntry[] = [];
    try {
      await client.query("begin");
      const batches = orderListQueries(client, 90).everyOrder({ filter, descending: true, now: last });
      for await (const batch of batches) {
        if (exported.length === 0)
          await client.query(
            `update ${ordersTable} set updated_at = updated_at + interval '1 year',
               total_pence = total_pence + 1, despatch_by = despatch_by - 500`,
          );
        exported.push(...batch);
      }
    } finally {
      await client.query("rollback");
      client.release();
    }
    const expected = filter.paid
      ? sorted(all, "paid", true).filter(({ paidAt }) => paidAt !== null)
      : sorted(all, "created", true);
    expect(exported.map(({ orderId }) => orderId)).toEqual(expected.map(({ orderId }) => orderId));
  },
);

/** Each order folded from all its events. */
function ordersThemselves(): Order[] {
  const states = new Map<string, OrderState>();
  for (const stored of events) {
    const { event, recorded } = readOrderEvent(stored);
    states.set(stored.stream, orderDecider.evolve(states.get(stored.stream) ?? absent, event, recorded));
  }
  return [...states.values()].filter(exists);
}

it("finds in each queue, at any time, exactly the domain's orders", async () => {
  const orders = ordersThemselves();
  const random = randomOf(5);
  const moments = [
    last,
    addSeconds(last, 179),
    ...[1, 3, 8, 25, 60, 61, 80, 90].map((days) => addDays(last, days)),
    ...Array.from({ length: 12 }, () => addSeconds(last, Math.floor(random() * 100 * 86_400))),
  ];
  const seen = new Set<WorkQueue>();
  for (const now of moments) {
    const counted = await queries.countQueues(now, 1_000);
    for (const queue of workQueues) {
      const expected = orders.filter((order) => queuesOf(order, now).includes(queue));
      const listed = await everyPage({ filter: { queue }, sort: "updated", limit: 100, now });
      expect({ now, queue, ids: listed.map(({ orderId }) => orderId).toSorted() }).toEqual({
        now,
        queue,
        ids: expected.map(({ orderId }) => orderId).toSorted(),
      });
      expect(counted.get(queue)).toBe(expected.length);
      for (const entry of listed) expect(queuesOfEntry(entry, now)).toContain(queue);
      if (expected.length > 0) seen.add(queue);
    }
  }
  // A queue without orders would prove nothing.
  expect(workQueues.filter((queue) => !seen.has(queue))).toEqual([]);
});

it("derives a line's queues as the domain does", async () => {
  const byId = new Map(all.map((entry) => [entry.orderId, entry]));
  for (const order of ordersThemselves())
    for (const now of [last, addDays(last, 30), addDays(last, 90)]) {
      const entry = byId.get(order.orderId);
      expect(entry && queuesOfEntry(entry, now)).toEqual(queuesOf(order, now));
    }
});

it("stops counting a queue at one above its bound", async () => {
  expect((await queries.countQueues(addDays(last, 90), 5)).get("overdue")).toBe(6);
});

it("limits a page to between 1 and 200 orders", async () => {
  const lengths = [0, -5, 1e9, 50].map(async (limit) => {
    const { orders } = await queries.listOrders({ ...newest, limit, now: last });
    return orders.length;
  });
  expect(await Promise.all(lengths)).toEqual([1, 1, 200, 50]);
});

it("shows an order that arrives between two pages on neither, without shifting them", async () => {
  const first = await queries.listOrders({ ...newest, limit: 10, now: last });
  const newcomer = "ffffffff-ffff-4fff-8fff-ffffffffffff";
  await pool.query(
    `insert into ${ordersTable} (key, revision, folded, cell, created_at, paid_at, updated_at, total_pence, despatch_by)
     values ($1, 0, '', 0, '2027-01-01', '9999-12-31', '2027-01-01', 0, '9999-12-31')`,
    [newcomer],
  );
  const second = await queries.listOrders({
    ...newest,
    limit: 10,
    now: last,
    after: first.next ?? undefined,
  });
  await pool.query(`delete from ${ordersTable} where key = $1`, [newcomer]);
  expect([...first.orders, ...second.orders]).toEqual(sorted(all, "created", true).slice(0, 20));
});

it("shows of each order what the domain says", () => {
  const byId = new Map(all.map((entry) => [entry.orderId, entry]));
  for (const order of ordersThemselves()) {
    const newest = events.findLast(({ stream }) => stream === orderStream(order.orderId));
    expect(byId.get(order.orderId)).toEqual({
      orderId: order.orderId,
      orderNumber: order.orderNumber,
      status: statusOf(order.phase),
      phase: order.phase,
      certificateType: order.variant?.certificateType ?? null,
      serviceLevel: order.variant?.serviceLevel ?? null,
      copies: order.variant?.copies ?? null,
      totalPence: order.variant?.totalPence ?? order.quotedTotalPence,
      checkoutId: order.checkoutId ?? null,
      createdAt: order.createdAt,
      updatedAt: newest && readOrderEvent(newest).recorded.at,
      paidAt: order.paidAt,
      despatchBy: order.promise?.despatchBy ?? null,
      lasting: lastingQueues(order).filter((queue) => queue !== "notSubmitted"),
      awaitedBy: awaitedBy(order),
      stuckAt: submissionStuckAt(order),
      purgeSince: purgeWaitsSince(order),
    });
  }
});

it("finds as many lines by order id as are asked for, and none for an unknown id", async () => {
  const ids = all.map(({ orderId }) => orderId);
  const found = await queries.listedOrders([...ids, "none"]);
  expect(found.map(({ orderId }) => orderId).toSorted()).toEqual(ids.toSorted());
});
