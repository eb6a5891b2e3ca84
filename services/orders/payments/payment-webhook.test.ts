import { describe, expect, test } from "vitest";
import { refundablePence, refundedPence } from "../../../domain/order/payment/money.ts";
import { owed } from "../../../domain/order/tasks/owed.ts";
import { execute, paidOrder } from "../../../testing/services/paid-order-fixture.ts";
import {
  awaitingPayment,
  type TestDependencies,
  testDependencies,
} from "../../../testing/services/use-case-fixture.ts";
import type { ProviderDispute, ProviderRefund } from "../../providers/stripe/payments.ts";
import { takePaymentNotice } from "./payment-webhook.ts";

const provider = { actor: { kind: "provider" as const, id: "payments" }, correlationId: "a-notice" };
const notice = { eventId: "evt_1", kind: "dispute" as const, disputeId: "du_1" };

/** A paid order, and a dispute of its payment as the provider has it now. */
async function disputed(deps: TestDependencies, change: Partial<ProviderDispute> = {}): Promise<string> {
  const orderId = await paidOrder(deps);
  const { order } = await deps.orders.load(orderId);
  const intentId = order.payments[0]?.intentId;
  const dispute = { id: "du_1", intentId, amountPence: 4500, reason: "duplicate", outcome: undefined };
  deps.payments.setDispute({ ...dispute, ...change });
  return orderId;
}

const recordedOf = async (deps: TestDependencies, orderId: string) =>
  (await deps.events(orderId))
    .filter(({ type }) => type.startsWith("Dispute"))
    .map(({ type, data }) => [type, data]);

describe("A notice of a dispute", () => {
  test("is believed as the provider answers when asked, once, in our words", async () => {
    const deps = testDependencies();
    const orderId = await disputed(deps);
    await takePaymentNotice(deps, notice, provider);
    await takePaymentNotice(deps, { ...notice, eventId: "evt_2" }, provider);
    expect(await recordedOf(deps, orderId)).toEqual([
      [
        "DisputeOpened",
        expect.objectContaining({ disputeId: "du_1", amountPence: 4500, reason: "duplicate" }),
      ],
    ]);
  });

  test("that comes late tells the opening and the end at once, and another amount changes nothing any more", async () => {
    const deps = testDependencies();
    const orderId = await disputed(deps, { outcome: "lost", reason: "a_reason_of_tomorrow" });
    await takePaymentNotice(deps, notice, provider);
    const { order } = await deps.orders.load(orderId);
    deps.payments.setDispute({
      id: "du_1",
      intentId: order.payments[0]?.intentId,
      amountPence: 4000,
      reason: "general",
      outcome: "lost",
    });
    await takePaymentNotice(deps, notice, provider);
    expect(await recordedOf(deps, orderId)).toEqual([
      ["DisputeOpened", expect.objectContaining({ reason: "other", amountPence: 4500 })],
      ["DisputeClosed", { disputeId: "du_1", outcome: "lost", toldBy: "provider", proposal: null }],
    ]);
  });

  test("about a payment without an intent, or of no order, is left alone", async () => {
    const deps = testDependencies();
    const orderId = await disputed(deps, { intentId: undefined });
    expect(await takePaymentNotice(deps, notice, provider)).toBeUndefined();
    await disputed(deps, { intentId: "pi_of_another_shop" });
    expect(await takePaymentNotice(deps, notice, provider)).toBeUndefined();
    expect(await recordedOf(deps, orderId)).toEqual([]);
  });
});

test("A notice about an intent in another currency records nothing, whatever it is about", async () => {
  const deps = testDependencies();
  const orderId = await disputed(deps, { intentId: "pi_dollars" });
  const before = await deps.events(orderId);
  const { intentId } = await awaitingPayment(deps);
  const inPounds = deps.payments.intents.get(intentId);
  if (!inPounds) throw new Error("Expected an intent.");
  deps.payments.put({ ...inPounds, id: "pi_dollars", status: "succeeded", currency: "usd", orderId });
  const refund = { id: "re_1", refundId: undefined, intentId: "pi_dollars", amountPence: 4500 };
  deps.payments.addRefund({ ...refund, status: "succeeded", failureCode: undefined });
  const about = { eventId: "evt_1", intentId: "pi_dollars" };
  await takePaymentNotice(deps, notice, provider);
  await takePaymentNotice(deps, { ...about, kind: "refund", refundId: "re_1" }, provider);
  await takePaymentNotice(deps, { ...about, kind: "intent", outcome: "succeeded" }, provider);
  expect(await deps.events(orderId)).toEqual(before);
});

describe("A notice about what the provider does not know", () => {
  const unknown = [
    { eventId: "evt_1", kind: "intent", intentId: "pi_unknown", outcome: "succeeded" },
    { eventId: "evt_1", kind: "refund", intentId: "pi_unknown", refundId: "re_1" },
    { eventId: "evt_1", kind: "dispute", disputeId: "du_unknown" },
  ] as const;

  test.each(unknown)("is none of ours: $kind", async (foreign) => {
    expect(await takePaymentNotice(testDependencies(), foreign, provider)).toBeUndefined();
  });

  test.each(unknown)(
    "is asked for again while the provider cannot say so: $kind (control)",
    async (foreign) => {
      const deps = testDependencies();
      deps.payments.down = true;
      await expect(takePaymentNotice(deps, foreign, provider)).rejects.toThrow("Taken down by the test");
    },
  );
});

const recordedIn = async (deps: TestDependencies, orderId: string, type: string) =>
  (await deps.events(orderId)).filter((event) => event.type === type).map(({ data }) => data);

test("A notice of success about a refused card records no second refusal", async () => {
  const deps = testDependencies();
  const { orderId, intentId } = await awaitingPayment(deps);
  deps.payments.change(intentId, { failureCode: "card_declined" });
  const declined = { eventId: "evt_1", kind: "intent", intentId, outcome: "failed" } as const;
  await takePaymentNotice(deps, declined, provider);
  const untrue = { ...declined, eventId: "evt_2", outcome: "succeeded" } as const;
  expect(await takePaymentNotice(deps, untrue, provider)).toBeUndefined();
  expect(await recordedIn(deps, orderId, "PaymentFailed")).toHaveLength(1);
});

describe("A notice that comes again", () => {
  test("after another decline is answered as the first time", async () => {
    const deps = testDependencies();
    const { orderId, intentId } = await awaitingPayment(deps);
    const declined = { eventId: "evt_1", kind: "intent", intentId, outcome: "failed" } as const;
    deps.payments.change(intentId, { failureCode: "card_declined" });
    await takePaymentNotice(deps, declined, provider);
    deps.payments.change(intentId, { failureCode: "expired_card" });
    await takePaymentNotice(deps, { ...declined, eventId: "evt_2" }, provider);
    const again = await takePaymentNotice(deps, declined, provider);
    expect(again?.order.orderId).toBe(orderId);
    expect(await recordedIn(deps, orderId, "PaymentFailed")).toEqual([
      { intentId, code: "cardDeclined" },
      { intentId, code: "expiredCard" },
    ]);
  });

  test("is the same one to a log that still holds its fingerprint", async () => {
    const deps = testDependencies();
    const { orderId, intentId } = await awaitingPayment(deps);
    const command = { type: "RecordPaymentFailure", data: { intentId, code: "cardDeclined" } } as const;
    await deps.orders.execute({ orderId, commandId: "payment-failed-evt_1", by: provider, command });
    deps.payments.change(intentId, { failureCode: "expired_card" });
    const again = { eventId: "evt_1", kind: "intent", intentId, outcome: "failed" } as const;
    await takePaymentNotice(deps, again, provider);
    expect(await recordedIn(deps, orderId, "PaymentFailed")).toHaveLength(1);
  });

  test("after a refund's metadata or reason was edited is answered as the first time", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const intentId = (await deps.orders.load(orderId)).order.payments[0]?.intentId ?? "";
    const refund: ProviderRefund = {
      id: "re_1",
      refundId: undefined,
      intentId,
      amountPence: 500,
      status: "failed",
      failureCode: "declined",
    };
    deps.payments.addRefund(refund);
    const notice = { eventId: "evt_1", kind: "refund", intentId, refundId: "re_1" } as const;
    await takePaymentNotice(deps, notice, provider);
    Object.assign(refund, { refundId: `order-${orderId}-refund-7`, failureCode: "lost_or_stolen_card" });
    await takePaymentNotice(deps, notice, provider);
    expect(await recordedIn(deps, orderId, "RefundFailed")).toEqual([
      expect.objectContaining({ amountPence: 500, code: "declined" }),
    ]);
  });
});

test("A refund made by hand at the provider that fails after all leaves a cancelled customer owed the money", async () => {
  const deps = testDependencies();
  const orderId = await paidOrder(deps);
  const intentId = (await deps.orders.load(orderId)).order.payments[0]?.intentId ?? "";
  const byHand: ProviderRefund = {
    id: "re_hand",
    refundId: undefined,
    intentId,
    amountPence: 4500,
    status: "succeeded",
    failureCode: undefined,
  };
  deps.payments.addRefund(byHand);
  const notice = { kind: "refund", intentId, refundId: "re_hand" } as const;
  await takePaymentNotice(deps, { ...notice, eventId: "evt_1" }, provider);
  await execute(deps, orderId, {
    type: "CancelOrder",
    data: { reason: "staffRequest", closedIntentId: null },
  });
  byHand.status = "failed";
  await takePaymentNotice(deps, { ...notice, eventId: "evt_2" }, provider);
  const { order } = await deps.orders.load(orderId);
  expect([refundedPence(order), refundablePence(order, intentId)]).toEqual([0, 4500]);
  const settings = { purgeAfterSeconds: 5, unpaidExpiresAfterSeconds: 9, contactRetentionDays: 1 };
  const tasks = owed(order, deps.now().toISOString(), { ...settings, submissionRequestedWithinSeconds: 60 });
  expect(tasks).toContainEqual(expect.objectContaining({ kind: "requestRefund", amountPence: 4500 }));
});
