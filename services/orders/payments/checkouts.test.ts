import { describe, expect, it } from "vitest";
import { Refused } from "../../../domain/decider.ts";
import {
  asked,
  checkoutOf,
  notice,
  requestAll,
  succeed,
} from "../../../testing/services/checkout-fixture.ts";
import {
  Crash,
  customer,
  failingAppends,
  type TestDependencies,
  testDependencies,
} from "../../../testing/services/use-case-fixture.ts";
import { cancelOrder } from "../cancel-order.ts";
import { openCheckout, submitCheckout } from "./checkout-requests.ts";
import { confirmIntent, PaymentMismatch } from "./provider-reports.ts";
import { requestCheckoutPayment, requestPayment } from "./request-payment.ts";

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
    const tabs = await Promise.all([1, 2].map(() => requestAll(deps, checkout.checkoutId, 13_500)));
    const again = await requestAll(deps, checkout.checkoutId, 13_500);
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
    const refusal = await requestAll(deps, checkout.checkoutId, 4500).catch((error) => error);
    expect(refusal).toBeInstanceOf(Refused);
    expect(refusal).toMatchObject({ code: "wrong-amount", details: { totalPence: 9000 } });
    expect(deps.payments.intents.size).toBe(0);
  });

  it("are paid for without one that was cancelled before", async () => {
    const deps = testDependencies();
    const { checkout, orderIds, intentId } = await asked(deps, 3);
    await cancelOrder(deps, orderIds[1] ?? "", "customerRequest", customer);
    expect(deps.payments.intents.get(intentId)?.status).toBe("cancelled");
    const { order } = await requestAll(deps, checkout.checkoutId, 9000);
    const next = order.intents.open?.intentId ?? "";
    succeed(deps, next);
    await notice(deps, next);
    expect(await standing(deps, orderIds)).toEqual([["Paid", 4500], ["Cancelled"], ["Paid", 4500]]);
  });

  it("are all found paid by staff who cancel one of them, and are asked to look at it again", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await asked(deps);
    const [first = "", second = ""] = orderIds;
    const declined = { type: "RecordPaymentFailure", data: { intentId, code: "cardDeclined" } } as const;
    await deps.orders.execute({ orderId: second, commandId: deps.newId(), by: customer, command: declined });
    const { revision } = await deps.orders.load(first);
    const ann = { actor: { kind: "staff", id: "ann" }, correlationId: "a-click", reason: "other" } as const;
    const cancel = (expectedRevision: number) =>
      cancelOrder(deps, first, "staffRequest", { ...ann, expectedRevision });
    succeed(deps, intentId);
    await expect(cancel(revision)).rejects.toMatchObject({ rule: "changed-meanwhile" });
    expect(await standing(deps, orderIds)).toEqual([
      ["Paid", 4500],
      ["Paid", 4500],
    ]);
    await cancel((await deps.orders.load(first)).revision);
    expect((await deps.orders.load(first)).order.phase).toBe("Cancelled");
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
    const { order } = await requestAll(deps, checkout.checkoutId, 4500);
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
      other = (await requestAll(deps, checkoutId, 9000)).clientSecret;
    }
    return execute.call(deps.orders, asked);
  };
  const { clientSecret } = await requestAll(deps, checkoutId, 9000);
  expect(other).toBe(clientSecret);
  const intents = [...deps.payments.intents.values()];
  expect(intents).toMatchObject([{ status: "unpaid", clientSecret }]);
  const orders = await Promise.all(orderIds.map((orderId) => deps.orders.load(orderId)));
  expect(orders.map(({ order }) => order.intents.open?.intentId)).toEqual([intents[0]?.id, intents[0]?.id]);
});
