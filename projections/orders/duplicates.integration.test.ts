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

it("finds them by an index among many orders", async () => {
  const many = Array.from({ length: 300 }, (_, nth) => ordered(historyTo.Paid, uuid(1_000 + nth)));
  await fold(...many);
  await pool.query(`analyze ${ordersTable}`);
  const asked = many.slice(0, 5).map(({ orderId }) => orderId);
  const [statement] = await statementsOf(pool, (recording) =>
    duplicateQueries(recording).duplicatesOf(asked),
  );
  if (!statement) throw new Error("No statement was sent.");
  const { scanned, indexes } = await carriedOut(pool, statement);
  expect(scanned).toEqual([]);
  expect(indexes.length).toBeGreaterThan(1);
});
