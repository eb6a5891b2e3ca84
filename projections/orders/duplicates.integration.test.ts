import { afterAll, beforeAll, expect, it } from "vitest";
import { orderNumberOf } from "../../domain/numbers.ts";
import { orderStream } from "../../domain/order/events.ts";
import { createPool, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { created, historyTo, orderId, type TimedEvent, uuid } from "../../testing/domain/order-fixture.ts";
import { carriedOut, statementsOf } from "../../testing/postgres/query-plan-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { storedFrom } from "../../testing/projections/stored-history-fixture.ts";
import { tablesOf } from "../runner/read-model-tables.ts";
import { duplicateQueries } from "./duplicates.ts";
import { orderListQueries } from "./order-list-queries.ts";
import type { OrderFilter } from "./order-list-statements.ts";
import { ordersProjection, ordersTable } from "./orders.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  await inTransaction(pool, (client) => tablesOf(ordersProjection).create(client));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

let orders = 0;

/** The stored events of another order with this history. */
function ordered(history: readonly TimedEvent[], certificateId: string | null) {
  orders += 1;
  const key = uuid(5_000_000 + orders);
  const orderNumber = orderNumberOf(BigInt(orders));
  const [[_, seconds] = [created, 0], ...later] = history;
  const first: TimedEvent = [
    { type: "OrderCreated", data: { ...created.data, orderId: key, orderNumber, certificateId } },
    seconds,
  ];
  return { orderId: key, orderNumber, events: storedFrom([first, ...later], orderStream(key)) };
}

const fold = (...batch: readonly Pick<ReturnType<typeof ordered>, "events">[]) =>
  inTransaction(pool, (client) =>
    tablesOf(ordersProjection).apply(
      client,
      batch.flatMap(({ events }) => events),
    ),
  );

async function duplicatesOf(...of: readonly { readonly orderId: string }[]) {
  const found = await duplicateQueries(pool).duplicatesOf(of.map(({ orderId }) => orderId));
  return of.map(({ orderId }) => (found.get(orderId) ?? []).map((other) => other.orderId));
}

const refunded: TimedEvent = [
  {
    type: "RefundRequested",
    data: {
      ...{ refundId: `order-${orderId}-refund-1`, intentId: "pi_1", amountPence: 9000 },
      ...{ reason: "staffDecision", proposal: null },
    },
  },
  200_000,
];
const found = (...certificateIds: string[]): TimedEvent => [
  { type: "SameCertificateFound", data: { certificateIds } },
  150_000,
];

it("marks paid orders from one draft, each with the other's number and time, whichever was folded first", async () => {
  const [one, other] = [ordered(historyTo.Submitted, uuid(1)), ordered(historyTo.Paid, uuid(1))];
  await fold(other);
  expect(await duplicatesOf(one, other)).toEqual([[], []]);
  await fold(one);
  expect(await duplicatesOf(one, other)).toEqual([[other.orderId], [one.orderId]]);
  const marks = await duplicateQueries(pool).duplicatesOf([one.orderId]);
  expect(marks.get(one.orderId)).toEqual([
    { orderId: other.orderId, orderNumber: other.orderNumber, paidAt: "2026-11-23T09:30:30.000Z" },
  ]);
});

it("marks neither where one is not paid, is cancelled, has failed or was refunded in full", async () => {
  const unmarked = [
    historyTo.AwaitingPayment,
    historyTo.Cancelled,
    historyTo.Failed,
    [...historyTo.Fulfilled, refunded],
  ];
  for (const [nth, history] of unmarked.entries()) {
    const [one, other] = [ordered(historyTo.Submitted, uuid(10 + nth)), ordered(history, uuid(10 + nth))];
    await fold(one, other);
    expect(await duplicatesOf(one, other)).toEqual([[], []]);
  }
});

it("marks no order that names no draft, and none from another draft", async () => {
  const all = [null, null, uuid(20), uuid(21)].map((id) => ordered(historyTo.Paid, id));
  await fold(...all);
  expect(await duplicatesOf(...all)).toEqual([[], [], [], []]);
});

it("marks orders that were found to be for the same certificate, in whichever of them that was recorded", async () => {
  const first = ordered(historyTo.Submitted, uuid(30));
  const second = ordered([...historyTo.Submitted, found(uuid(30))], uuid(31));
  const copyOfSecond = ordered(historyTo.Submitted, uuid(31));
  // Compared by two processes at once, each found the other.
  const crossed = [
    ordered([...historyTo.Paid, found(uuid(41))], uuid(40)),
    ordered([...historyTo.Paid, found(uuid(40))], uuid(41)),
  ];
  await fold(copyOfSecond, second, first, ...crossed);
  const marks = await duplicatesOf(first, second, copyOfSecond, ...crossed);
  expect(marks.map((others) => others.toSorted())).toEqual([
    [second.orderId],
    [first.orderId, copyOfSecond.orderId],
    [second.orderId],
    [crossed[1]?.orderId],
    [crossed[0]?.orderId],
  ]);
});

it("narrows the list to those that were paid in the last 31 days, whenever the other was", async () => {
  const listed = async (now: string, filter: OrderFilter = {}) => {
    const page = { sort: "created", descending: true, limit: 200, now } as const;
    const { orders } = await orderListQueries(pool).listOrders({
      ...page,
      filter: { recentDuplicates: true, ...filter },
    });
    return orders.map(({ orderId }) => orderId);
  };
  const paidLater = historyTo.Paid.map(([event, seconds]): TimedEvent => [event, seconds + 20 * 86_400]);
  const [first, second] = [ordered(historyTo.Submitted, uuid(50)), ordered(paidLater, uuid(50))];
  const [single, unpaid] = [ordered(historyTo.Paid, uuid(51)), ordered(historyTo.Priced, uuid(50))];
  await fold(first, second, single, unpaid);
  const both = await listed("2026-12-24T09:00:00.000Z");
  expect(both).toEqual(expect.arrayContaining([first.orderId, second.orderId]));
  expect(both).not.toContain(single.orderId);
  expect(both).not.toContain(unpaid.orderId);
  expect(await listed("2026-12-24T09:00:00.000Z", { phases: ["Paid"] })).not.toContain(first.orderId);
  expect(await listed("2026-12-25T09:00:00.000Z")).toEqual([second.orderId]);
  expect(await listed("2027-01-14T09:00:00.000Z")).toEqual([]);
});

it("finds them by an index among many orders", async () => {
  const many = Array.from({ length: 300 }, (_, nth) => ordered(historyTo.Paid, uuid(1_000 + nth)));
  await fold(...many);
  await pool.query(`analyze ${ordersTable}`);
  const asked = many.slice(0, 5).map(({ orderId }) => orderId);
  const recent = {
    filter: { recentDuplicates: true },
    sort: "created",
    descending: true,
    limit: 50,
  } as const;
  const statements = await statementsOf(pool, async (recording) => {
    await duplicateQueries(recording).duplicatesOf(asked);
    // Most orders were paid earlier.
    await orderListQueries(recording).listOrders({ ...recent, now: "2027-01-10T09:00:00.000Z" });
  });
  expect(statements).toHaveLength(2);
  for (const statement of statements) {
    const { scanned, indexes } = await carriedOut(pool, statement);
    expect(scanned).toEqual([]);
    expect(indexes.length).toBeGreaterThan(1);
  }
});
