import { describe, expect, test } from "vitest";
import { createTaskBench, type TaskBench } from "../../../testing/services/task-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { placeAndAsk, placeAndPay, placeOrder } from "../../../testing/system/orders-fixture.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { recordDispute } from "../../orders/payments/returns.ts";
import {
  PaymentsRefused,
  type ProviderDispute,
  type ProviderRefund,
} from "../../providers/stripe/payments.ts";

/** A paid order that was cancelled, with its refund requested. */
async function orderToRefund(bench: TaskBench): Promise<{ orderId: string; intentId: string }> {
  const placed = await placeAndPay(bench.deps);
  await cancelOrder(bench.deps, placed.orderId, "customerRequest", customer);
  await bench.perform(placed.orderId, "request-refund");
  return placed;
}

const refundsIn = async (bench: TaskBench, orderId: string) =>
  (await bench.order(orderId)).refunds.map(({ status, amountPence }) => [status, amountPence]);

describe("Expiry", () => {
  test("cancels the open intent at the provider, then the order", async () => {
    const bench = createTaskBench();
    const { orderId, intentId } = await placeAndAsk(bench.deps);
    bench.wait(86_400);
    await bench.performAll(orderId);
    expect((await bench.order(orderId)).end?.reason).toBe("expired");
    expect(bench.deps.payments.intents.get(intentId)?.status).toBe("cancelled");
  });

  test("cancels an order whose intent the provider does not know, as after a change of its account", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndAsk(bench.deps);
    bench.deps.payments.cancelIntent = () => Promise.reject(new PaymentsRefused("notFound"));
    bench.wait(86_400);
    await bench.performAll(orderId);
    expect((await bench.order(orderId)).end?.reason).toBe("expired");
  });

  test("stops where an unreported payment came first", async () => {
    const bench = createTaskBench();
    const { orderId, intentId } = await placeAndAsk(bench.deps);
    bench.deps.payments.change(intentId, { status: "succeeded" });
    bench.wait(86_400);
    await bench.perform(orderId, "expire");
    expect((await bench.order(orderId)).phase).toBe("Paid");
  });

  test("stops where the payment arrives while the intent is being cancelled", async () => {
    const bench = createTaskBench();
    const { orderId, intentId } = await placeAndAsk(bench.deps);
    const { cancelIntent } = bench.deps.payments;
    bench.deps.payments.cancelIntent = async (id) => {
      bench.deps.payments.change(id, { status: "succeeded" });
      return cancelIntent(id);
    };
    bench.wait(86_400);
    await bench.perform(orderId, "expire");
    expect((await bench.order(orderId)).payments.map((payment) => payment.intentId)).toEqual([intentId]);
    expect(await bench.eventTypes(orderId)).not.toContain("OrderCancelled");
  });

  test("waits for a card that is being charged", async () => {
    const bench = createTaskBench();
    const { orderId, intentId } = await placeAndAsk(bench.deps);
    bench.deps.payments.change(intentId, { status: "processing" });
    bench.wait(86_400);
    expect(await bench.perform(orderId, "expire")).toBe("later");
    expect((await bench.order(orderId)).phase).toBe("AwaitingPayment");
    bench.deps.payments.change(intentId, { status: "unpaid" });
    await bench.performAll(orderId);
    expect((await bench.order(orderId)).phase).toBe("Cancelled");
  });

  test("of an order paid with a different amount refunds it and continues", async () => {
    const bench = createTaskBench();
    const { orderId, intentId } = await placeAndAsk(bench.deps);
    bench.deps.payments.change(intentId, { status: "succeeded", amountPence: 4400 });
    bench.wait(86_400);
    await bench.performAll(orderId);
    expect((await bench.order(orderId)).phase).toBe("Cancelled");
    expect(await refundsIn(bench, orderId)).toEqual([["issued", 4400]]);
  });

  test("of an order that lost its payment in a restore finds it at the provider", async () => {
    const bench = createTaskBench();
    const orderId = await placeOrder(bench.deps);
    const forgotten = await bench.deps.payments.createIntent({ orderId, amountPence: 4500, attempt: 1 });
    bench.deps.payments.change(forgotten.id, { status: "succeeded" });
    bench.wait(86_400);
    await bench.perform(orderId, "expire");
    expect((await bench.order(orderId)).phase).toBe("Paid");
  });

  test("closes an intent that the order lost in a restore, so it cannot be paid later", async () => {
    const bench = createTaskBench();
    const orderId = await placeOrder(bench.deps);
    const forgotten = await bench.deps.payments.createIntent({ orderId, amountPence: 4500, attempt: 1 });
    bench.wait(86_400);
    await bench.performAll(orderId);
    expect(bench.deps.payments.intents.get(forgotten.id)?.status).toBe("cancelled");
    expect((await bench.order(orderId)).phase).toBe("Cancelled");
  });

  test("changes nothing while the provider is down, and is retried", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndAsk(bench.deps);
    bench.wait(86_400);
    bench.deps.payments.down = true;
    expect(await bench.perform(orderId, "expire")).toBe("PaymentsUnavailable");
    bench.deps.payments.down = false;
    await bench.performAll(orderId);
    expect((await bench.order(orderId)).phase).toBe("Cancelled");
  });
});

describe("A refund", () => {
  test("that is due is requested and made automatically, once", async () => {
    const bench = createTaskBench();
    const { orderId, intentId } = await orderToRefund(bench);
    await bench.performAll(orderId);
    await bench.perform(orderId, "refund-1");
    expect(await refundsIn(bench, orderId)).toEqual([["issued", 4500]]);
    expect(await bench.deps.payments.refundsOf(intentId)).toHaveLength(1);
  });

  test("made before a crash is found and not repeated", async () => {
    const bench = createTaskBench();
    const { orderId, intentId } = await orderToRefund(bench);
    const [asked] = (await bench.order(orderId)).refunds;
    await bench.deps.payments.refund({ refundId: asked?.refundId ?? "", intentId, amountPence: 4500 });
    await bench.performAll(orderId);
    expect(await bench.deps.payments.refundsOf(intentId)).toHaveLength(1);
    expect(await refundsIn(bench, orderId)).toEqual([["issued", 4500]]);
  });

  test("that is still pending at the provider is checked later, without needing a notice", async () => {
    const bench = createTaskBench();
    const { orderId, intentId } = await orderToRefund(bench);
    const [asked] = (await bench.order(orderId)).refunds;
    const made: ProviderRefund = {
      id: "re_1",
      status: "pending",
      refundId: asked?.refundId ?? undefined,
      intentId,
      amountPence: 4500,
      failureCode: undefined,
    };
    bench.deps.payments.addRefund(made);
    expect(await bench.perform(orderId, "refund-1")).toBe("later");
    expect(await refundsIn(bench, orderId)).toEqual([["pending", 4500]]);
    expect(await bench.due(orderId)).toContain("refund-1");
    // The bank accepted it, and the notice was lost.
    made.status = "succeeded";
    expect(await bench.perform(orderId, "refund-1")).toBeUndefined();
    expect(await refundsIn(bench, orderId)).toEqual([["issued", 4500]]);
    expect(await bench.deps.payments.refundsOf(intentId)).toHaveLength(1);
  });

  test("refused by the provider is recorded, retried after an hour and a day, and then left to staff", async () => {
    const bench = createTaskBench();
    const { orderId } = await orderToRefund(bench);
    bench.deps.payments.refund = () => Promise.reject(new PaymentsRefused("invalid"));
    for (const [hours, failures] of [
      [0, 1],
      [1, 2],
      [24, 3],
      [240, 3],
    ] as const) {
      bench.wait(hours * 3600);
      await bench.performAll(orderId);
      expect(await refundsIn(bench, orderId)).toEqual(
        Array.from({ length: failures }, () => ["failed", 4500]),
      );
    }
  });

  describe("of which a refund by hand has taken a part", () => {
    async function takenByHand(bench: TaskBench) {
      const placed = await orderToRefund(bench);
      const byHand = { refundId: null, providerRefundId: "re_hand", amountPence: 1500 };
      await bench.deps.orders.execute({
        ...{ orderId: placed.orderId, commandId: bench.deps.newId(), by: customer },
        command: { type: "RecordRefund", data: { ...byHand, intentId: placed.intentId } },
      });
      return placed;
    }

    test("fails without the provider, and what is left is asked for", async () => {
      const bench = createTaskBench();
      const { orderId, intentId } = await takenByHand(bench);
      await bench.perform(orderId, "refund-1");
      expect(await bench.deps.payments.refundsOf(intentId)).toEqual([]);
      bench.wait(3600);
      await bench.performAll(orderId);
      expect(await refundsIn(bench, orderId)).toEqual(
        expect.arrayContaining([
          ["failed", 4500],
          ["issued", 1500],
          ["issued", 3000],
        ]),
      );
    });

    test("is recorded where the provider had made it before", async () => {
      const bench = createTaskBench();
      const { orderId, intentId } = await takenByHand(bench);
      const [asked] = (await bench.order(orderId)).refunds;
      await bench.deps.payments.refund({ refundId: asked?.refundId ?? "", intentId, amountPence: 4500 });
      await bench.perform(orderId, "refund-1");
      expect(await refundsIn(bench, orderId)).toContainEqual(["issued", 4500]);
    });
  });

  test("is not recorded as failed when our own API key is wrong", async () => {
    const bench = createTaskBench();
    const { orderId } = await orderToRefund(bench);
    bench.deps.payments.refund = () => Promise.reject(new PaymentsRefused("unauthorized"));
    expect(await bench.perform(orderId, "refund-1")).toBe("unauthorized");
    expect(await refundsIn(bench, orderId)).toEqual([["pending", 4500]]);
  });
});

describe("A dispute", () => {
  const dispute = (intentId: string, outcome: ProviderDispute["outcome"]): ProviderDispute => ({
    id: "du_1",
    intentId,
    amountPence: 4500,
    reason: "general",
    outcome,
  });
  const report = (bench: TaskBench, orderId: string, report: ProviderDispute) =>
    recordDispute(bench.deps, orderId, report.intentId ?? "", report, customer);

  test("holds back a requested refund, and releases it once won", async () => {
    const bench = createTaskBench();
    const { orderId, intentId } = await orderToRefund(bench);
    await report(bench, orderId, dispute(intentId, undefined));
    await bench.performAll(orderId);
    expect(await refundsIn(bench, orderId)).toEqual([["pending", 4500]]);
    expect(await bench.deps.payments.refundsOf(intentId)).toEqual([]);
    await report(bench, orderId, dispute(intentId, "won"));
    await bench.performAll(orderId);
    expect(await refundsIn(bench, orderId)).toEqual([["issued", 4500]]);
  });

  test("lost before a policy asks leaves nothing to refund", async () => {
    const bench = createTaskBench();
    const { orderId, intentId } = await placeAndPay(bench.deps);
    await report(bench, orderId, dispute(intentId, undefined));
    await cancelOrder(bench.deps, orderId, "customerRequest", customer);
    await bench.performAll(orderId);
    await report(bench, orderId, dispute(intentId, "lost"));
    await bench.performAll(orderId);
    expect(await refundsIn(bench, orderId)).toEqual([]);
    expect(await bench.deps.payments.refundsOf(intentId)).toEqual([]);
  });
});
