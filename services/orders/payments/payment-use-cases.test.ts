import { describe, expect, test } from "vitest";
import { Refused } from "../../../domain/decider.ts";
import {
  awaitingPayment,
  Crash,
  customer,
  failingAppends,
  pricedOrder,
  testDesk,
} from "../../../testing/services/use-case-fixture.ts";
import { cancelOrder } from "../cancel-order.ts";
import type { Desk } from "../dependencies.ts";
import { confirmIntent, confirmOrderPayment } from "./confirm-payment.ts";
import { PaymentMismatch, PaymentProcessing } from "./payment-outcomes.ts";
import { requestPayment } from "./request-payment.ts";

const system = { actor: { kind: "system" as const, id: "expiry" }, correlationId: "a-sweep" };

/** Runs something just before the provider's answer, as rivals do. */
function whenAsked(desk: Desk, call: "createIntent" | "cancelIntent", rival: () => Promise<unknown>): Desk {
  let first = true;
  const meanwhile = async () => {
    if (!first) return;
    first = false;
    await rival();
  };
  const payments = {
    ...desk.payments,
    [call]: async (argument: never) => {
      const answer = await desk.payments[call](argument);
      await meanwhile();
      return answer;
    },
  };
  return { ...desk, payments };
}

describe("Asking for a payment", () => {
  test("after a crash before appending gives the same intent", async () => {
    let broken = false;
    const desk = testDesk(failingAppends(() => broken));
    const orderId = await pricedOrder(desk);
    broken = true;
    await expect(requestPayment(desk, orderId, 4500, customer)).rejects.toThrow(Crash);
    broken = false;
    await requestPayment(desk, orderId, 4500, customer);
    expect(desk.payments.intents.size).toBe(1);
  });

  test("of an order that is cancelled meanwhile closes the intent that nobody will name", async () => {
    const desk = testDesk();
    const orderId = await pricedOrder(desk);
    const raced = whenAsked(desk, "createIntent", () =>
      cancelOrder(desk, orderId, "customerRequest", customer),
    );
    await expect(requestPayment(raced, orderId, 4500, customer)).rejects.toThrow(Refused);
    expect([...desk.payments.intents.values()].map(({ status }) => status)).toEqual(["cancelled"]);
  });
});

describe("Confirming a payment", () => {
  test("asks the provider only as long as the order does not know it", async () => {
    const desk = testDesk();
    const { orderId, intentId } = await awaitingPayment(desk);
    desk.payments.change(intentId, { status: "succeeded" });
    await confirmOrderPayment(desk, orderId, customer);
    const { calls } = desk.payments;
    const again = await confirmOrderPayment(desk, orderId, customer);
    expect(again.order.phase).toBe("Paid");
    expect(desk.payments.calls).toBe(calls);
  });

  test("of another order's intent records nothing", async () => {
    const desk = testDesk();
    const [mine, other] = [await awaitingPayment(desk), await awaitingPayment(desk)];
    desk.payments.change(other.intentId, { status: "succeeded" });
    const intent = await desk.payments.retrieveIntent(other.intentId);
    await expect(confirmIntent(desk, mine.orderId, intent, customer)).rejects.toThrow(PaymentMismatch);
    expect(await desk.events(mine.orderId)).toHaveLength(3);
  });
});

describe("Cancelling", () => {
  test("an expired order that was paid meanwhile confirms the payment and goes no further", async () => {
    const desk = testDesk();
    const { orderId, intentId } = await awaitingPayment(desk);
    desk.payments.change(intentId, { status: "succeeded" });
    await expect(cancelOrder(desk, orderId, "expired", system)).rejects.toMatchObject({
      rule: "already-paid",
    });
    expect((await desk.orders.load(orderId)).order.phase).toBe("Paid");
  });

  test("an expired order whose card is being charged waits", async () => {
    const desk = testDesk();
    const { orderId, intentId } = await awaitingPayment(desk);
    desk.payments.change(intentId, { status: "processing" });
    await expect(cancelOrder(desk, orderId, "expired", system)).rejects.toThrow(PaymentProcessing);
    expect((await desk.orders.load(orderId)).order.phase).toBe("AwaitingPayment");
  });

  test("closes the intent that was opened while the old one was being closed", async () => {
    const desk = testDesk();
    const { orderId } = await awaitingPayment(desk);
    const raced = whenAsked(desk, "cancelIntent", () => requestPayment(desk, orderId, 4500, customer));
    const { order } = await cancelOrder(raced, orderId, "customerRequest", customer);
    expect(order.phase).toBe("Cancelled");
    expect([...desk.payments.intents.values()].map(({ status }) => status)).toEqual([
      "cancelled",
      "cancelled",
    ]);
  });

  test("while the provider is down changes nothing", async () => {
    const desk = testDesk();
    const { orderId } = await awaitingPayment(desk);
    desk.payments.down = true;
    await expect(cancelOrder(desk, orderId, "customerRequest", customer)).rejects.toThrow();
    expect((await desk.orders.load(orderId)).order.phase).toBe("AwaitingPayment");
  });
});
