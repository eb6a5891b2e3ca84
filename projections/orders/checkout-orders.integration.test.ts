import { afterAll, beforeAll, expect, it } from "vitest";
import { orderNumberOf } from "../../domain/numbers.ts";
import { orderStream } from "../../domain/order/events.ts";
import { createPool, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { created, historyTo, start, type TimedEvent, uuid } from "../../testing/domain/order-fixture.ts";
import { carriedOut, statementsOf } from "../../testing/postgres/query-plan-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { storedFrom } from "../../testing/projections/stored-history-fixture.ts";
import { tablesOf } from "../runner/read-model-tables.ts";
import { checkoutQueries } from "./checkout-orders.ts";
import { createOrderQueries } from "./order-queries.ts";
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

/** Folds another order whose first payment is asked for by a checkout; null for one that is paid for alone. */
async function ordered(checkoutId: string | null, history: readonly TimedEvent[]) {
  orders += 1;
  const orderId = uuid(6_000_000 + orders);
  const orderNumber = orderNumberOf(BigInt(orders));
  const own = history.map(([event, seconds]): TimedEvent => {
    if (event.type === "OrderCreated")
      return [{ ...event, data: { ...created.data, orderId, orderNumber } }, orders];
    if (event.type === "PaymentRequested" && event.data.attempt === 1)
      return [{ ...event, data: { ...event.data, checkoutId } }, seconds];
    return [event, seconds];
  });
  await fold(storedFrom(own, orderStream(orderId)));
  return { orderId, orderNumber };
}

const fold = (events: ReturnType<typeof storedFrom>) =>
  inTransaction(pool, (client) => tablesOf(ordersProjection).apply(client, events));

const ordersOf = (checkoutId: string) => checkoutQueries(pool).ordersOfCheckout(checkoutId);
const idsOf = async (checkoutId: string) => (await ordersOf(checkoutId)).map(({ orderId }) => orderId);

it("finds the orders of a checkout, the first first, and no other", async () => {
  const [first, second] = [
    await ordered(uuid(1), historyTo.Submitted),
    await ordered(uuid(1), historyTo.AwaitingPayment),
  ];
  await ordered(uuid(2), historyTo.Paid);
  const alone = await ordered(null, historyTo.Paid);
  await ordered(null, historyTo.Opened);
  const found = await ordersOf(uuid(1));
  expect(found).toMatchObject([
    { ...first, phase: "Submitted", checkoutId: uuid(1), certificateType: "Birth", capturedPence: 9000 },
    { ...second, phase: "AwaitingPayment", checkoutId: uuid(1), capturedPence: 0, wentBackPence: 0 },
  ]);
  const queries = createOrderQueries(pool);
  expect(await queries.getOrder(first.orderId)).toMatchObject({ checkoutId: uuid(1) });
  expect(await queries.lookup(alone.orderNumber)).toMatchObject({ checkoutId: null });
  expect(await idsOf(uuid(3))).toEqual([]);
});

it("leaves out an order once it is to be paid for alone", async () => {
  const stays = await ordered(uuid(4), historyTo.AwaitingPayment);
  const alone: TimedEvent = [
    {
      type: "PaymentRequested",
      data: { intentId: "pi_2", amountPence: 9000, attempt: 2, closedIntentId: "pi_1", checkoutId: null },
    },
    25,
  ];
  await ordered(uuid(4), [...historyTo.AwaitingPayment, alone]);
  expect(await idsOf(uuid(4))).toEqual([stays.orderId]);
});

it("knows what went back of each share: by refund, by the bank, and of a payment that was not due", async () => {
  const ids = { refundId: null, providerRefundId: "re_1", intentId: "pi_1" };
  const refunded: TimedEvent = [{ type: "RefundIssued", data: { ...ids, amountPence: 2500 } }, 200_000];
  const dispute = { disputeId: "du_1", intentId: "pi_1", amountPence: 6500 };
  const lost: TimedEvent[] = [
    [{ type: "DisputeOpened", data: { ...dispute, reason: "fraudulent" } }, 300_000],
    [
      {
        type: "DisputeClosed",
        data: { disputeId: "du_1", outcome: "lost", toldBy: "provider", proposal: null },
      },
      400_000,
    ],
  ];
  const cancelledBefore = historyTo.Cancelled.filter(([{ type }]) => type !== "PaymentConfirmed");
  const notDue: TimedEvent = [
    { type: "PaymentReceivedUnexpectedly", data: { intentId: "pi_1", amountPence: 9000 } },
    80,
  ];
  const back: TimedEvent = [{ type: "RefundIssued", data: { ...ids, amountPence: 9000 } }, 90];
  await ordered(uuid(5), historyTo.Fulfilled);
  await ordered(uuid(5), [...historyTo.Fulfilled, refunded, ...lost]);
  await ordered(uuid(5), [...cancelledBefore, notDue, back]);
  const shares = (await ordersOf(uuid(5))).map((one) => [one.capturedPence, one.wentBackPence]);
  expect(shares).toEqual([
    [9000, 0],
    [9000, 9000],
    [9000, 9000],
  ]);
});

it("finds them by an index among many orders", async () => {
  for (let nth = 0; nth < 300; nth += 1) await ordered(nth < 60 ? uuid(100 + nth) : null, historyTo.Paid);
  await pool.query(`analyze ${ordersTable}`);
  const statements = await statementsOf(pool, (recording) =>
    Promise.all([
      checkoutQueries(recording).ordersOfCheckout(uuid(100)),
      createOrderQueries(recording).listOrders({
        ...{ filter: { checkoutId: uuid(100) }, sort: "created", descending: false, limit: 50 },
        now: start,
      }),
    ]),
  );
  expect(statements).toHaveLength(2);
  for (const statement of statements) expect((await carriedOut(pool, statement)).scanned).toEqual([]);
});
