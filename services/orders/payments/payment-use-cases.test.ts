import { describe, expect, test } from "vitest";
import { Refused } from "../../../domain/decider.ts";
import {
  awaitingPayment,
  Crash,
  customer,
  failingAppends,
  pricedOrder,
  testDependencies,
} from "../../../testing/services/use-case-fixture.ts";
import { cancelOrder } from "../cancel-order.ts";
import type { OrderDependencies } from "../dependencies.ts";
import {
  confirmIntent,
  confirmOrderPayment,
  PaymentMismatch,
  PaymentProcessing,
} from "./provider-reports.ts";
import { requestPayment } from "./request-payment.ts";

const system = { actor: { kind: "system" as const, id: "expiry" }, correlationId: "a-sweep" };

/** Runs something just before the provider's answer, as rivals do. */
function whenAsked(
  deps: OrderDependencies,
  call: "createIntent" | "cancelIntent",
  rival: () => Promise<unknown>,
): OrderDependencies {
  let first = true;
  const meanwhile = async () => {
    if (!first) return;
    first = false;
    await rival();
  };
  const payments = {
    ...deps.payments,
    [call]: async (argument: never) => {
      const answer = await deps.payments[call](argument);
      await meanwhile();
      return answer;
    },
  };
  return { ...deps, payments };
}

describe("Asking for a payment", () => {
  test("after a crash before appending gives the same intent", async () => {
    let broken = false;
    const deps = testDependencies(failingAppends(() => broken));
    const orderId = await pricedOrder(deps);
    broken = true;
    await expect(requestPayment(deps, orderId, 4500, customer)).rejects.toThrow(Crash);
    broken = false;
    await requestPayment(deps, orderId, 4500, customer);
    expect(deps.payments.intents.size).toBe(1);
  });

  test("of an order that is cancelled meanwhile closes the intent, which no event will name", async () => {
    const deps = testDependencies();
    const orderId = await pricedOrder(deps);
    const raced = whenAsked(deps, "createIntent", () =>
      cancelOrder(deps, orderId, "customerRequest", customer),
    );
    await expect(requestPayment(raced, orderId, 4500, customer)).rejects.toThrow(Refused);
    expect([...deps.payments.intents.values()].map(({ status }) => status)).toEqual(["cancelled"]);
  });
});

describe("Confirming a payment", () => {
  test("asks the provider only as long as the order does not know it", async () => {
    const deps = testDependencies();
    const { orderId, intentId } = await awaitingPayment(deps);
    deps.payments.change(intentId, { status: "succeeded" });
    await confirmOrderPayment(deps, orderId, customer);
    const { calls } = deps.payments;
    const again = await confirmOrderPayment(deps, orderId, customer);
    expect(again.order.phase).toBe("Paid");
    expect(deps.payments.calls).toBe(calls);
  });

  test("asks about the payment that another process asked for since", async () => {
    const deps = testDependencies();
    const { orderId, intentId } = await awaitingPayment(deps);
    // The same order, as it was before another process replaced its payment.
    const { order: before, ...rest } = await deps.orders.load(orderId);
    await deps.payments.cancelIntent(intentId);
    const { order: asked } = await requestPayment(deps, orderId, 4500, customer);
    const newer = asked.intents.open?.intentId ?? "";
    deps.payments.change(newer, { status: "succeeded" });
    const orders = { ...deps.orders, lastSeen: async () => ({ ...rest, order: before }) };
    const { order } = await confirmOrderPayment({ ...deps, orders }, orderId, customer);
    expect(order.payments.map(({ intentId }) => intentId)).toEqual([newer]);
  });

  test("of another order's intent records nothing", async () => {
    const deps = testDependencies();
    const [mine, other] = [await awaitingPayment(deps), await awaitingPayment(deps)];
    deps.payments.change(other.intentId, { status: "succeeded" });
    const intent = await deps.payments.retrieveIntent(other.intentId);
    await expect(confirmIntent(deps, mine.orderId, intent, customer)).rejects.toThrow(PaymentMismatch);
    expect(await deps.events(mine.orderId)).toHaveLength(3);
  });
});

describe("Cancelling", () => {
  test("an expired order that was paid meanwhile confirms the payment and goes no further", async () => {
    const deps = testDependencies();
    const { orderId, intentId } = await awaitingPayment(deps);
    deps.payments.change(intentId, { status: "succeeded" });
    await expect(cancelOrder(deps, orderId, "expired", system)).rejects.toMatchObject({
      rule: "already-paid",
    });
    expect((await deps.orders.load(orderId)).order.phase).toBe("Paid");
  });

  test("an expired order whose card is being charged waits", async () => {
    const deps = testDependencies();
    const { orderId, intentId } = await awaitingPayment(deps);
    deps.payments.change(intentId, { status: "processing" });
    await expect(cancelOrder(deps, orderId, "expired", system)).rejects.toThrow(PaymentProcessing);
    expect((await deps.orders.load(orderId)).order.phase).toBe("AwaitingPayment");
  });

  test("closes the intent that was opened while the old one was being closed", async () => {
    const deps = testDependencies();
    const { orderId } = await awaitingPayment(deps);
    const raced = whenAsked(deps, "cancelIntent", () => requestPayment(deps, orderId, 4500, customer));
    const { order } = await cancelOrder(raced, orderId, "customerRequest", customer);
    expect(order.phase).toBe("Cancelled");
    expect([...deps.payments.intents.values()].map(({ status }) => status)).toEqual([
      "cancelled",
      "cancelled",
    ]);
  });

  test("while the provider is down changes nothing", async () => {
    const deps = testDependencies();
    const { orderId } = await awaitingPayment(deps);
    deps.payments.down = true;
    await expect(cancelOrder(deps, orderId, "customerRequest", customer)).rejects.toThrow();
    expect((await deps.orders.load(orderId)).order.phase).toBe("AwaitingPayment");
  });
});
