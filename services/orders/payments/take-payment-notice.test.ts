import { describe, expect, test } from "vitest";
import { refundablePence, refundedPence } from "../../../domain/order/payment/money.ts";
import { owed } from "../../../domain/order/tasks/owed.ts";
import { paidOrder, tell } from "../../../testing/services/paid-order-fixture.ts";
import { awaitingPayment, type TestDesk, testDesk } from "../../../testing/services/use-case-fixture.ts";
import type { ProviderDispute, ProviderRefund } from "../../providers/stripe/payments.ts";
import { takePaymentNotice } from "./take-payment-notice.ts";

const provider = { actor: { kind: "provider" as const, id: "payments" }, correlationId: "a-notice" };
const notice = { eventId: "evt_1", kind: "dispute" as const, disputeId: "du_1" };

/** A paid order, and a dispute of its payment as the provider has it now. */
async function disputed(desk: TestDesk, change: Partial<ProviderDispute> = {}): Promise<string> {
  const orderId = await paidOrder(desk);
  const { order } = await desk.orders.load(orderId);
  const intentId = order.payments[0]?.intentId;
  const dispute = { id: "du_1", intentId, amountPence: 4500, reason: "duplicate", outcome: undefined };
  desk.payments.setDispute({ ...dispute, ...change });
  return orderId;
}

const toldOf = async (desk: TestDesk, orderId: string) =>
  (await desk.events(orderId))
    .filter(({ type }) => type.startsWith("Dispute"))
    .map(({ type, data }) => [type, data]);

describe("A notice of a dispute", () => {
  test("is believed as the provider answers when asked, once, in our words", async () => {
    const desk = testDesk();
    const orderId = await disputed(desk);
    await takePaymentNotice(desk, notice, provider);
    await takePaymentNotice(desk, { ...notice, eventId: "evt_2" }, provider);
    expect(await toldOf(desk, orderId)).toEqual([
      [
        "DisputeOpened",
        expect.objectContaining({ disputeId: "du_1", amountPence: 4500, reason: "duplicate" }),
      ],
    ]);
  });

  test("that comes late tells the opening and the end at once, and another amount changes nothing any more", async () => {
    const desk = testDesk();
    const orderId = await disputed(desk, { outcome: "lost", reason: "a_reason_of_tomorrow" });
    await takePaymentNotice(desk, notice, provider);
    const { order } = await desk.orders.load(orderId);
    desk.payments.setDispute({
      id: "du_1",
      intentId: order.payments[0]?.intentId,
      amountPence: 4000,
      reason: "general",
      outcome: "lost",
    });
    await takePaymentNotice(desk, notice, provider);
    expect(await toldOf(desk, orderId)).toEqual([
      ["DisputeOpened", expect.objectContaining({ reason: "other", amountPence: 4500 })],
      ["DisputeClosed", { disputeId: "du_1", outcome: "lost", toldBy: "provider", proposal: null }],
    ]);
  });

  test("about a payment without an intent, or of no order, is left alone", async () => {
    const desk = testDesk();
    const orderId = await disputed(desk, { intentId: undefined });
    expect(await takePaymentNotice(desk, notice, provider)).toBeUndefined();
    await disputed(desk, { intentId: "pi_of_another_shop" });
    expect(await takePaymentNotice(desk, notice, provider)).toBeUndefined();
    expect(await toldOf(desk, orderId)).toEqual([]);
  });
});

describe("A notice about what the provider does not know", () => {
  const unknown = [
    { eventId: "evt_1", kind: "intent", intentId: "pi_unknown" },
    { eventId: "evt_1", kind: "refund", intentId: "pi_unknown", refundId: "re_1" },
    { eventId: "evt_1", kind: "dispute", disputeId: "du_unknown" },
  ] as const;

  test.each(unknown)("is none of ours: $kind", async (foreign) => {
    expect(await takePaymentNotice(testDesk(), foreign, provider)).toBeUndefined();
  });

  test.each(unknown)(
    "is asked for again while the provider cannot say so: $kind (control)",
    async (foreign) => {
      const desk = testDesk();
      desk.payments.down = true;
      await expect(takePaymentNotice(desk, foreign, provider)).rejects.toThrow("took it down");
    },
  );
});

describe("A notice that comes again", () => {
  const toldIn = async (desk: TestDesk, orderId: string, type: string) =>
    (await desk.events(orderId)).filter((event) => event.type === type).map(({ data }) => data);

  test("after another decline is answered as the first time", async () => {
    const desk = testDesk();
    const { orderId, intentId } = await awaitingPayment(desk);
    const declined = { eventId: "evt_1", kind: "intent", intentId } as const;
    desk.payments.change(intentId, { failureCode: "card_declined" });
    await takePaymentNotice(desk, declined, provider);
    desk.payments.change(intentId, { failureCode: "expired_card" });
    await takePaymentNotice(desk, { ...declined, eventId: "evt_2" }, provider);
    const again = await takePaymentNotice(desk, declined, provider);
    expect(again?.order.orderId).toBe(orderId);
    expect(await toldIn(desk, orderId, "PaymentFailed")).toEqual([
      { intentId, code: "cardDeclined" },
      { intentId, code: "expiredCard" },
    ]);
  });

  test("is the same one to a log that still holds its fingerprint", async () => {
    const desk = testDesk();
    const { orderId, intentId } = await awaitingPayment(desk);
    const command = { type: "RecordPaymentFailure", data: { intentId, code: "cardDeclined" } } as const;
    await desk.orders.tell({ orderId, commandId: "payment-failed-evt_1", by: provider, command });
    desk.payments.change(intentId, { failureCode: "expired_card" });
    await takePaymentNotice(desk, { eventId: "evt_1", kind: "intent", intentId }, provider);
    expect(await toldIn(desk, orderId, "PaymentFailed")).toHaveLength(1);
  });

  test("after somebody edited a refund's metadata or its reason changed is answered as the first time", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const intentId = (await desk.orders.load(orderId)).order.payments[0]?.intentId ?? "";
    const refund: ProviderRefund = {
      id: "re_1",
      refundId: undefined,
      intentId,
      amountPence: 500,
      status: "failed",
      failureCode: "declined",
    };
    desk.payments.addRefund(refund);
    const told = { eventId: "evt_1", kind: "refund", intentId, refundId: "re_1" } as const;
    await takePaymentNotice(desk, told, provider);
    Object.assign(refund, { refundId: `order-${orderId}-refund-7`, failureCode: "lost_or_stolen_card" });
    await takePaymentNotice(desk, told, provider);
    expect(await toldIn(desk, orderId, "RefundFailed")).toEqual([
      expect.objectContaining({ amountPence: 500, code: "declined" }),
    ]);
  });
});

test("A refund made by hand at the provider that fails after all leaves a cancelled customer owed the money", async () => {
  const desk = testDesk();
  const orderId = await paidOrder(desk);
  const intentId = (await desk.orders.load(orderId)).order.payments[0]?.intentId ?? "";
  const byHand: ProviderRefund = {
    id: "re_hand",
    refundId: undefined,
    intentId,
    amountPence: 4500,
    status: "succeeded",
    failureCode: undefined,
  };
  desk.payments.addRefund(byHand);
  const told = { kind: "refund", intentId, refundId: "re_hand" } as const;
  await takePaymentNotice(desk, { ...told, eventId: "evt_1" }, provider);
  await tell(desk, orderId, { type: "CancelOrder", data: { reason: "staffRequest", closedIntentId: null } });
  byHand.status = "failed";
  await takePaymentNotice(desk, { ...told, eventId: "evt_2" }, provider);
  const { order } = await desk.orders.load(orderId);
  expect([refundedPence(order), refundablePence(order, intentId)]).toEqual([0, 4500]);
  const settings = { purgeAfterSeconds: 5, unpaidExpiresAfterSeconds: 9, contactRetentionDays: 1 };
  const duties = owed(order, desk.now().toISOString(), { ...settings, submissionRequestedWithinSeconds: 60 });
  expect(duties).toContainEqual(expect.objectContaining({ kind: "requestRefund", amountPence: 4500 }));
});
