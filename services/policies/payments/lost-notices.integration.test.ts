import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type SandboxInTest, sandboxInTest } from "../../../testing/providers/sandbox-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { placeAndAsk, placeAndPay } from "../../../testing/system/orders-fixture.ts";
import { noSweepSeconds, openTestSystem, type TestSystem } from "../../../testing/system/test-system.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import { takePaymentNotice } from "../../orders/payments/payment-webhook.ts";
import { PaymentsRefused } from "../../providers/stripe/payments.ts";
import { stripeApiVersion } from "../../providers/stripe/stripe-answers.ts";
import { createStripePayments } from "../../providers/stripe/stripe-payments.ts";
import { searchLostNotices } from "./lost-notices.ts";

const warning = "the payment provider reported a change without a notice";
/** The provider gets ten minutes to deliver a webhook. */
const searchedAfterSeconds = 605;
const noSignal = new AbortController().signal;
const provider = { actor: { kind: "provider" as const, id: "payments" }, correlationId: "a-notice" };
const count = async (system: TestSystem, orderId: string, type: string) =>
  (await system.eventTypes(orderId)).filter((each) => each === type).length;

describe("events at the provider whose webhooks never arrive", () => {
  let box: SandboxInTest;
  let stripe: Stripe;
  beforeAll(async () => {
    box = await sandboxInTest();
    const { secretKey, host, port, protocol } = box.addresses.stripe;
    stripe = new Stripe(secretKey, { host, port, protocol, telemetry: false, apiVersion: stripeApiVersion });
  });
  afterAll(() => box.close());

  /** Calls the provider as the product does; the clock is late enough to give up on webhooks. */
  function depsAt(system: TestSystem): OrderDependencies {
    const { now } = system.around.clock;
    return { ...system.deps, payments: createStripePayments({ ...box.addresses.stripe, now }) };
  }

  /** Paid, partly refunded in the dashboard, then disputed, while the webhook receiver is down. */
  async function unheard(deps: OrderDependencies) {
    box.receiver.down = true;
    box.receiver.delivered.length = 0;
    const { orderId, intentId } = await placeAndAsk(deps);
    await stripe.paymentIntents.confirm(intentId, { payment_method: "pm_card_visa" });
    await stripe.refunds.create({ payment_intent: intentId, amount: 500 });
    const disputed = await fetch(`${box.receiver.url}/sandbox/payments/disputes`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ intentId }),
    });
    expect(disputed.status).toBe(200);
    return { orderId, intentId };
  }

  const learnt = ["PaymentConfirmed", "RefundIssued", "DisputeOpened"];
  const counts = (system: TestSystem, orderId: string) =>
    Promise.all(learnt.map((type) => count(system, orderId, type)));

  it("payment, dashboard refund and dispute are recorded once, even if webhooks arrive after all", async () => {
    await using system = await openTestSystem();
    const deps = depsAt(system);
    const { orderId } = await unheard(deps);
    system.skip(searchedAfterSeconds);
    await searchLostNotices({ pool: system.pool, deps }, noSignal);
    expect(await counts(system, orderId)).toEqual([1, 1, 1]);
    expect(system.logLines.filter((line) => line.includes(warning))).toHaveLength(3);

    box.receiver.down = false;
    await vi.waitFor(() => expect(box.receiver.delivered.length).toBeGreaterThanOrEqual(4), soon);
    for (const { body, headers } of box.receiver.delivered) {
      const now = () => new Date();
      const there = createStripePayments({ ...box.addresses.stripe, now });
      await takePaymentNotice(
        deps,
        there.readWebhook(Buffer.from(body), headers["stripe-signature"]),
        provider,
      );
    }
    system.skip(searchedAfterSeconds);
    await searchLostNotices({ pool: system.pool, deps }, noSignal);
    expect(await counts(system, orderId)).toEqual([1, 1, 1]);
    expect(system.logLines.filter((line) => line.includes(warning))).toHaveLength(3);
  });

  it("stay unknown without a search, and while the webhook may still arrive (control)", async () => {
    await using system = await openTestSystem();
    const deps = depsAt(system);
    const { orderId } = await unheard(deps);
    await searchLostNotices({ pool: system.pool, deps }, noSignal);
    expect(await counts(system, orderId)).toEqual([0, 0, 0]);
    box.receiver.down = false;
    await vi.waitFor(() => expect(box.receiver.delivered.length).toBeGreaterThanOrEqual(4), soon);
  });
});

async function lostDispute(system: TestSystem) {
  const { orderId, intentId } = await placeAndPay(system.deps);
  const disputeId = `du_${randomUUID()}`;
  const { payments } = system.around;
  payments.setDispute({
    ...{ id: disputeId, intentId, amountPence: 4500, reason: "general" },
    outcome: undefined,
  });
  payments.lose({ eventId: `evt_${disputeId}`, kind: "dispute", disputeId }, system.deps.now());
  return orderId;
}
const search = (system: TestSystem) => searchLostNotices(system, noSignal);

describe("the search", () => {
  it("reads every page once", async () => {
    await using system = await openTestSystem();
    const orders = [];
    for (let n = 0; n < 7; n += 1) orders.push(await lostDispute(system));
    system.skip(searchedAfterSeconds);
    await search(system);
    for (const orderId of orders) expect(await count(system, orderId, "DisputeOpened")).toBe(1);
    system.skip(searchedAfterSeconds);
    const before = system.around.payments.calls;
    await search(system);
    expect(system.around.payments.calls - before).toBe(1);
  });

  it("runs once in ten minutes, however many processes there are", async () => {
    await using system = await openTestSystem();
    const orderId = await lostDispute(system);
    system.skip(searchedAfterSeconds);
    const before = system.around.payments.calls;
    await Promise.all([search(system), search(system), search(system)]);
    // The list, the dispute and its intent.
    expect(system.around.payments.calls - before).toBe(3);
    expect(await count(system, orderId, "DisputeOpened")).toBe(1);
  });

  it("resumes where it was when the provider was unavailable", async () => {
    await using system = await openTestSystem();
    const orderId = await lostDispute(system);
    system.skip(searchedAfterSeconds);
    system.around.payments.down = true;
    await expect(search(system)).rejects.toThrow("Taken down by the test");
    system.around.payments.down = false;
    system.skip(searchedAfterSeconds);
    await search(system);
    expect(await count(system, orderId, "DisputeOpened")).toBe(1);
  });

  it("retries an event that failed, then skips it for the ones behind it", async () => {
    await using system = await openTestSystem();
    const older = [];
    for (let n = 0; n < 3; n += 1) older.push(await lostDispute(system));
    const stubborn = await lostDispute(system);
    const { payments } = system.around;
    const { retrieveDispute } = payments;
    let asked = 0;
    payments.retrieveDispute = async (disputeId) => {
      const dispute = await retrieveDispute(disputeId);
      const { orderId } = await payments.retrieveIntent(dispute.intentId ?? "");
      if (orderId !== stubborn) return dispute;
      asked += 1;
      throw new Error("It cannot be read.");
    };
    for (let turn = 0; turn < 6; turn += 1) {
      system.skip(searchedAfterSeconds);
      await search(system);
    }
    expect(asked).toBe(6);
    expect(await count(system, stubborn, "DisputeOpened")).toBe(0);
    for (const orderId of older) expect(await count(system, orderId, "DisputeOpened")).toBe(1);
    expect(system.logLines.filter((line) => line.includes("are given up"))).toHaveLength(1);
  });

  it("runs as part of the policies", async () => {
    await using system = await openTestSystem();
    const orderId = await lostDispute(system);
    system.skip(searchedAfterSeconds);
    await system.begin({ sweepEverySeconds: noSweepSeconds, reconcileEverySeconds: 0.1 });
    await vi.waitFor(async () => expect(await count(system, orderId, "DisputeOpened")).toBe(1), soon);
  });

  it("reports that the key lacks a permission, and still checks open payments", async () => {
    await using system = await openTestSystem();
    const { payments } = system.around;
    payments.undeliveredNotices = async () => {
      throw new PaymentsRefused("unauthorized");
    };
    const { orderId, intentId } = await placeAndAsk(system.deps);
    payments.change(intentId, { status: "succeeded" });
    system.skip(searchedAfterSeconds);
    await system.begin({ sweepEverySeconds: noSweepSeconds, reconcileEverySeconds: 0.1 });
    await vi.waitFor(async () => expect(await count(system, orderId, "PaymentConfirmed")).toBe(1), soon);
    await vi.waitFor(() => {
      const said = system.logLines.filter((line) => line.includes("could not be asked for"));
      expect(said.map((line) => JSON.parse(line).code)).toEqual(["unauthorized"]);
    }, soon);
  });
});
