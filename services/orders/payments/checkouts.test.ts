import { describe, expect, it } from "vitest";
import { Refused } from "../../../domain/decider.ts";
import { refundablePence } from "../../../domain/order/payment/money.ts";
import {
  Crash,
  customer,
  failingAppends,
  pricedOrder,
  type TestDependencies,
  testDependencies,
} from "../../../testing/services/use-case-fixture.ts";
import { cancelOrder } from "../cancel-order.ts";
import { openCheckout, submitCheckout } from "./checkout-requests.ts";
import { takePaymentNotice } from "./payment-webhook.ts";
import { confirmIntent, PaymentMismatch } from "./provider-reports.ts";
import { requestCheckoutPayment, requestPayment } from "./request-payment.ts";

const provider = { actor: { kind: "provider" as const, id: "payments" }, correlationId: "a-notice" };

/** Some priced orders in a checkout, each of 4,500 pence. */
async function checkoutOf(deps: TestDependencies, many = 2) {
  const orderIds: string[] = [];
  for (let n = 0; n < many; n += 1) orderIds.push(await pricedOrder(deps));
  const { checkout } = await openCheckout(deps, orderIds, { scope: "test", key: orderIds.join() }, customer);
  return { checkout, orderIds };
}

/** As a page asks: the checkout as it is by then. */
async function request(deps: TestDependencies, checkoutId: string, amountPence: number) {
  const checkout = await deps.checkouts.find(checkoutId);
  if (!checkout) throw new Error("There is no such checkout.");
  return requestCheckoutPayment(deps, checkout, amountPence, customer);
}

/** The same, with an open intent for all. */
async function asked(deps: TestDependencies, many = 2) {
  const { checkout, orderIds } = await checkoutOf(deps, many);
  const { order } = await request(deps, checkout.checkoutId, many * 4500);
  return { checkout, orderIds, intentId: order.intents.open?.intentId ?? "" };
}

const succeed = (deps: TestDependencies, intentId: string, amountPence?: number) =>
  deps.payments.change(intentId, {
    status: "succeeded",
    ...(amountPence !== undefined && { amountPence }),
  });

/** The same, paid, and told by the provider. */
async function paid(deps: TestDependencies, many = 2) {
  const all = await asked(deps, many);
  succeed(deps, all.intentId);
  await notice(deps, all.intentId);
  return all;
}

const notice = (deps: TestDependencies, intentId: string) =>
  takePaymentNotice(
    deps,
    { eventId: deps.newId(), kind: "intent", intentId, outcome: "succeeded" },
    provider,
  );

const standing = (deps: TestDependencies, orderIds: readonly string[]) =>
  Promise.all(
    orderIds.map(async (orderId) => {
      const { order } = await deps.orders.load(orderId);
      return [
        order.phase,
        ...order.payments.map(({ amountPence, unexpected }) => (unexpected ? -amountPence : amountPence)),
      ];
    }),
  );

describe("Orders of a checkout", () => {
  it("are paid for with one payment, each with its share, whoever tells of it first and how often", async () => {
    const deps = testDependencies();
    const { checkout, orderIds, intentId } = await asked(deps);
    expect(deps.payments.intents.get(intentId)).toMatchObject({ amountPence: 9000, orderId: undefined });
    succeed(deps, intentId);
    await notice(deps, intentId);
    await submitCheckout(deps, checkout, customer);
    await notice(deps, intentId);
    expect(await standing(deps, orderIds)).toEqual([
      ["Paid", 4500],
      ["Paid", 4500],
    ]);
  });

  it("are submitted by the report of their payment, but one that was cancelled; reported again, alike", async () => {
    const deps = testDependencies();
    const { checkout, orderIds, intentId } = await asked(deps, 3);
    succeed(deps, intentId);
    await cancelOrder(deps, orderIds[1] ?? "", "customerRequest", customer);
    const reports = [];
    for (let times = 0; times < 2; times += 1) reports.push(await submitCheckout(deps, checkout, customer));
    const [first = [], again] = reports;
    expect(first.map(({ order }) => [order.phase, order.promise !== null])).toEqual([
      ["Paid", true],
      ["Cancelled", false],
      ["Paid", true],
    ]);
    expect(again).toMatchObject(first.map(({ revision, position }) => ({ revision, position })));
  });

  it("get the same intent again, in another tab too", async () => {
    const deps = testDependencies();
    const { checkout } = await checkoutOf(deps, 3);
    const tabs = await Promise.all([1, 2].map(() => request(deps, checkout.checkoutId, 13_500)));
    const again = await request(deps, checkout.checkoutId, 13_500);
    expect(new Set([...tabs, again].map(({ clientSecret }) => clientSecret)).size).toBe(1);
    expect(deps.payments.intents.size).toBe(1);
  });

  it("get the same intent in another tab, though one of them has moved to it from its own meanwhile", async () => {
    const deps = testDependencies();
    const { checkout, orderIds } = await checkoutOf(deps);
    const [first = "", second = ""] = orderIds;
    await requestPayment(deps, first, 4500, customer);
    const { execute } = deps.orders;
    const held: (() => void)[] = [];
    deps.orders.execute = async (asked) => {
      if (asked.orderId === second && held.length === 0) await new Promise<void>((go) => held.push(go));
      return execute.call(deps.orders, asked);
    };
    const ask = () => requestCheckoutPayment(deps, checkout, 9000, customer);
    const slow = ask();
    const openOf = async (orderId: string) => (await deps.orders.load(orderId)).order.intents.open?.intentId;
    await expect.poll(() => openOf(first)).toContain(checkout.checkoutId);
    const { clientSecret } = await ask();
    held[0]?.();
    expect((await slow).clientSecret).toBe(clientSecret);
    expect(await openOf(second)).toBe(await openOf(first));
  });

  it("are refused another amount than their sum", async () => {
    const deps = testDependencies();
    const { checkout } = await checkoutOf(deps);
    const refusal = await request(deps, checkout.checkoutId, 4500).catch((error) => error);
    expect(refusal).toBeInstanceOf(Refused);
    expect(refusal).toMatchObject({ code: "wrong-amount", details: { totalPence: 9000 } });
    expect(deps.payments.intents.size).toBe(0);
  });

  it("are paid for without one that was cancelled before", async () => {
    const deps = testDependencies();
    const { checkout, orderIds, intentId } = await asked(deps, 3);
    await cancelOrder(deps, orderIds[1] ?? "", "customerRequest", customer);
    expect(deps.payments.intents.get(intentId)?.status).toBe("cancelled");
    const { order } = await request(deps, checkout.checkoutId, 9000);
    const next = order.intents.open?.intentId ?? "";
    succeed(deps, next);
    await notice(deps, next);
    expect(await standing(deps, orderIds)).toEqual([["Paid", 4500], ["Cancelled"], ["Paid", 4500]]);
  });

  it("go on where one was cancelled while the card was charged: its share goes back", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await asked(deps);
    const [first = "", second = ""] = orderIds;
    const command = {
      type: "CancelOrder",
      data: { reason: "customerRequest", closedIntentId: intentId },
    } as const;
    await deps.orders.execute({ orderId: first, commandId: deps.newId(), by: customer, command });
    succeed(deps, intentId);
    await notice(deps, intentId);
    expect(await standing(deps, [first, second])).toEqual([
      ["Cancelled", -4500],
      ["Paid", 4500],
    ]);
    const { order } = await deps.orders.load(first);
    expect(order.refunds).toMatchObject([{ amountPence: 4500, reason: "unexpectedPayment", intentId }]);
  });

  it("share a wrong amount until it is gone: who gets another sum than its own gives it back", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await asked(deps);
    succeed(deps, intentId, 5000);
    await notice(deps, intentId);
    expect(await standing(deps, orderIds)).toEqual([
      ["Paid", 4500],
      ["AwaitingPayment", -500],
    ]);
    const { order } = await deps.orders.load(orderIds[1] ?? "");
    expect(order.refunds).toMatchObject([{ amountPence: 500 }]);
  });

  it("are paid for once, though one was paid for alone in another tab", async () => {
    const deps = testDependencies();
    const { checkout, orderIds, intentId } = await asked(deps);
    const [first = ""] = orderIds;
    const alone = await requestPayment(deps, first, 4500, customer);
    expect(deps.payments.intents.get(intentId)?.status).toBe("cancelled");
    const own = alone.order.intents.open?.intentId ?? "";
    succeed(deps, own);
    await notice(deps, own);
    const { order } = await request(deps, checkout.checkoutId, 4500);
    const rest = order.intents.open?.intentId ?? "";
    succeed(deps, rest);
    await notice(deps, rest);
    expect(await standing(deps, orderIds)).toEqual([
      ["Paid", 4500],
      ["Paid", 4500],
    ]);
  });

  it("are all paid for in the end, though the process died in between", async () => {
    let isBroken = false;
    const deps = testDependencies(failingAppends(() => isBroken));
    const { orderIds, intentId } = await asked(deps, 5);
    succeed(deps, intentId);
    const { execute } = deps.orders;
    let done = 0;
    deps.orders.execute = async (request) => {
      if (request.command.type === "ConfirmPayment") isBroken = ++done > 2;
      return execute(request);
    };
    await expect(notice(deps, intentId)).rejects.toThrow(Crash);
    isBroken = false;
    deps.orders.execute = execute;
    await notice(deps, intentId);
    expect(await standing(deps, orderIds)).toEqual(orderIds.map(() => ["Paid", 4500]));
  });

  it("take no money of an intent that their checkout did not ask for", async () => {
    const deps = testDependencies();
    const { checkout, orderIds } = await checkoutOf(deps);
    const { checkoutId } = checkout;
    const strange = await deps.payments.createIntent({ checkoutId, amountPence: 9000, attempt: 7 });
    succeed(deps, strange.id);
    expect(await notice(deps, strange.id)).toBeUndefined();
    const intent = await deps.payments.retrieveIntent(strange.id);
    await expect(confirmIntent(deps, orderIds[0] ?? "", intent, customer)).rejects.toThrow(PaymentMismatch);
    expect(await standing(deps, orderIds)).toEqual([["Priced"], ["Priced"]]);
  });

  it("are opened once under a key, each order once, and none that is over", async () => {
    const deps = testDependencies();
    const { checkout, orderIds } = await checkoutOf(deps);
    const key = { scope: "test", key: orderIds.join() };
    expect((await openCheckout(deps, orderIds, key, customer)).checkout.checkoutId).toBe(checkout.checkoutId);
    await cancelOrder(deps, orderIds[0] ?? "", "customerRequest", customer);
    expect((await openCheckout(deps, orderIds, key, customer)).checkout.checkoutId).toBe(checkout.checkoutId);
    await expect(openCheckout(deps, orderIds, undefined, customer)).rejects.toThrow("forbidden-in-phase");
  });
});

it("has one intent, also if it is asked for again before every order names it", async () => {
  const deps = testDependencies();
  const { checkout, orderIds } = await checkoutOf(deps);
  const { checkoutId } = checkout;
  const [, second = ""] = orderIds;
  const { execute } = deps.orders;
  let other: string | undefined;
  deps.orders.execute = async (asked) => {
    if (asked.orderId === second && asked.command.type === "RequestPayment" && other === undefined) {
      deps.orders.execute = execute;
      other = (await request(deps, checkoutId, 9000)).clientSecret;
    }
    return execute.call(deps.orders, asked);
  };
  const { clientSecret } = await request(deps, checkoutId, 9000);
  expect(other).toBe(clientSecret);
  const intents = [...deps.payments.intents.values()];
  expect(intents).toMatchObject([{ status: "unpaid", clientSecret }]);
  const orders = await Promise.all(orderIds.map((orderId) => deps.orders.load(orderId)));
  expect(orders.map(({ order }) => order.intents.open?.intentId)).toEqual([intents[0]?.id, intents[0]?.id]);
});

describe("Money that goes back of a checkout", () => {
  const left = (deps: TestDependencies, orderIds: readonly string[], intentId: string) =>
    Promise.all(
      orderIds.map(async (orderId) => refundablePence((await deps.orders.load(orderId)).order, intentId)),
    );
  const refund = (deps: TestDependencies, orderId: string, intentId: string, amountPence: number) =>
    deps.orders.execute({
      ...{ orderId, commandId: deps.newId(), by: customer },
      command: {
        type: "RequestRefund",
        data: { intentId, amountPence, reason: "staffDecision", approvalAbovePence: null },
      },
    });
  const refundNotice = (deps: TestDependencies, intentId: string, refundId: string) =>
    takePaymentNotice(deps, { eventId: deps.newId(), kind: "refund", intentId, refundId }, provider);

  it("is at most each order's share, also when two are refunded at once", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps);
    const [first = "", second = ""] = orderIds;
    await expect(refund(deps, first, intentId, 4501)).rejects.toThrow("above-captured");
    await Promise.all([refund(deps, first, intentId, 4500), refund(deps, second, intentId, 4500)]);
    await expect(refund(deps, first, intentId, 1)).rejects.toThrow("above-captured");
    expect(await left(deps, orderIds, intentId)).toEqual([0, 0]);
  });

  it("is recorded in the order that asked for it", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps);
    const [, second = ""] = orderIds;
    const { order } = await refund(deps, second, intentId, 2000);
    const refundId = order.refunds[0]?.refundId ?? "";
    const made = await deps.payments.refund({ refundId, intentId, amountPence: 2000 });
    await refundNotice(deps, intentId, made.id);
    await refundNotice(deps, intentId, made.id);
    expect(await left(deps, orderIds, intentId)).toEqual([4500, 2500]);
    expect((await deps.orders.load(second)).order.refunds).toMatchObject([{ status: "issued" }]);
  });

  it("by hand at the provider, naming no order, is taken from each in their sequence, and once", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps);
    const byHand = { id: "re_by_hand", refundId: undefined, intentId, amountPence: 6000 };
    deps.payments.addRefund({ ...byHand, status: "succeeded", failureCode: undefined });
    await refundNotice(deps, intentId, byHand.id);
    await refundNotice(deps, intentId, byHand.id);
    expect(await left(deps, orderIds, intentId)).toEqual([0, 3000]);
  });

  it("is divided alike by reports that come at once, whatever is recorded between them", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps);
    const [first = ""] = orderIds;
    const { order } = await refund(deps, first, intentId, 2000);
    const refundId = order.refunds[0]?.refundId ?? "";
    const made = await deps.payments.refund({ refundId, intentId, amountPence: 2000 });
    const dispute = { id: "du_1", intentId, amountPence: 7000, reason: "fraudulent", outcome: undefined };
    deps.payments.setDispute(dispute);
    const { execute } = deps.orders;
    const held: (() => void)[] = [];
    deps.orders.execute = async (asked) => {
      if (asked.command.type === "RecordDispute") await new Promise<void>((go) => held.push(go));
      return execute.call(deps.orders, asked);
    };
    const told = () =>
      takePaymentNotice(deps, { eventId: deps.newId(), kind: "dispute", disputeId: dispute.id }, provider);
    const one = told();
    await expect.poll(() => held.length).toBe(2);
    await refundNotice(deps, intentId, made.id);
    const other = told();
    await expect.poll(() => held.length).toBe(4);
    for (const nth of [2, 0, 1, 3]) {
      held[nth]?.();
      await new Promise(setImmediate);
    }
    await Promise.all([one, other]);
    const orders = await Promise.all(orderIds.map((orderId) => deps.orders.load(orderId)));
    const taken = orders.flatMap((each) => each.order.disputes.map(({ amountPence }) => amountPence));
    expect(taken.reduce((sum, amountPence) => sum + amountPence, 0)).toBe(7000);
  });

  it("before the payment is recorded in all orders is each order's share all the same", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await asked(deps);
    const [first = ""] = orderIds;
    succeed(deps, intentId);
    const dispute = { id: "du_1", intentId, amountPence: 9000, reason: "fraudulent", outcome: undefined };
    deps.payments.setDispute(dispute);
    const { execute } = deps.orders;
    deps.orders.execute = async (asked) => {
      if (asked.orderId === first && asked.command.type === "ConfirmPayment") throw new Crash("Down.");
      return execute.call(deps.orders, asked);
    };
    await expect(notice(deps, intentId)).rejects.toThrow(Crash);
    deps.orders.execute = execute;
    await takePaymentNotice(deps, { eventId: deps.newId(), kind: "dispute", disputeId: "du_1" }, provider);
    for (const orderId of orderIds)
      expect((await deps.orders.load(orderId)).order.disputes).toMatchObject([{ amountPence: 4500 }]);
  });

  it("is divided by what each order has left, also where it has not recorded its own refund yet", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps);
    const [first = ""] = orderIds;
    const { order } = await refund(deps, first, intentId, 4500);
    const refundId = order.refunds[0]?.refundId ?? "";
    await deps.payments.refund({ refundId, intentId, amountPence: 4500 });
    const dispute = {
      id: "du_1",
      intentId,
      amountPence: 4500,
      reason: "fraudulent",
      outcome: "lost" as const,
    };
    deps.payments.setDispute(dispute);
    await takePaymentNotice(deps, { eventId: deps.newId(), kind: "dispute", disputeId: "du_1" }, provider);
    expect(await left(deps, orderIds, intentId)).toEqual([0, 0]);
    const orders = await Promise.all(orderIds.map((orderId) => deps.orders.load(orderId)));
    expect(orders.map((each) => each.order.disputes.length)).toEqual([0, 1]);
  });

  it("after a dispute is each order's share, and until then none is refunded", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps);
    const dispute = { id: "du_1", intentId, amountPence: 9000, reason: "fraudulent" };
    const disputeNotice = () =>
      takePaymentNotice(deps, { eventId: deps.newId(), kind: "dispute", disputeId: dispute.id }, provider);
    deps.payments.setDispute({ ...dispute, outcome: undefined });
    await disputeNotice();
    await disputeNotice();
    for (const orderId of orderIds)
      await expect(refund(deps, orderId, intentId, 100)).rejects.toThrow("dispute-open");
    deps.payments.setDispute({ ...dispute, outcome: "lost" });
    await disputeNotice();
    for (const orderId of orderIds)
      expect((await deps.orders.load(orderId)).order.disputes).toMatchObject([
        { amountPence: 4500, outcome: "lost" },
      ]);
    expect(await left(deps, orderIds, intentId)).toEqual([0, 0]);
  });
});
