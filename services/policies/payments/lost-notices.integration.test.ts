import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type SandboxInTest, sandboxInTest } from "../../../testing/services/sandbox-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { placeAndAsk, placeAndPay } from "../../../testing/system/orders-fixture.ts";
import { type House, noSweepSeconds, openHouse } from "../../../testing/system/test-system.ts";
import type { Desk } from "../../orders/dependencies.ts";
import { takePaymentNotice } from "../../orders/payments/take-payment-notice.ts";
import { PaymentsRefused } from "../../providers/stripe/payments.ts";
import { createStripePayments, stripeApiVersion } from "../../providers/stripe/stripe-payments.ts";
import { patienceSeconds, searchLostNotices } from "./lost-notices.ts";

const told = "the payment provider reported a change without a notice";
const noSignal = new AbortController().signal;
const provider = { actor: { kind: "provider" as const, id: "payments" }, correlationId: "a-notice" };
const count = async (house: House, orderId: string, type: string) =>
  (await house.eventTypes(orderId)).filter((each) => each === type).length;

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
  function deskAt(house: House): Desk {
    const now = () => new Date(Date.now() + house.around.clock.skippedMs);
    return { ...house.desk, payments: createStripePayments({ ...box.addresses.stripe, now }) };
  }

  /** Paid, partly refunded in the dashboard, then disputed, while the webhook receiver is down. */
  async function unheard(desk: Desk) {
    box.receiver.down = true;
    box.receiver.delivered.length = 0;
    const { orderId, intentId } = await placeAndAsk(desk);
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
  const counts = (house: House, orderId: string) =>
    Promise.all(learnt.map((type) => count(house, orderId, type)));

  it("payment, dashboard refund and dispute are recorded once, even if webhooks arrive after all", async () => {
    await using house = await openHouse();
    const desk = deskAt(house);
    const { orderId } = await unheard(desk);
    house.skip(patienceSeconds + 5);
    await searchLostNotices({ pool: house.pool, desk }, noSignal);
    expect(await counts(house, orderId)).toEqual([1, 1, 1]);
    expect(house.logLines.filter((line) => line.includes(told))).toHaveLength(3);

    box.receiver.down = false;
    await vi.waitFor(() => expect(box.receiver.delivered.length).toBeGreaterThanOrEqual(4), soon);
    for (const { body, headers } of box.receiver.delivered) {
      const now = () => new Date();
      const there = createStripePayments({ ...box.addresses.stripe, now });
      await takePaymentNotice(
        desk,
        there.readWebhook(Buffer.from(body), headers["stripe-signature"]),
        provider,
      );
    }
    house.skip(patienceSeconds + 5);
    await searchLostNotices({ pool: house.pool, desk }, noSignal);
    expect(await counts(house, orderId)).toEqual([1, 1, 1]);
    expect(house.logLines.filter((line) => line.includes(told))).toHaveLength(3);
  });

  it("stay unknown without a search, and while the webhook may still arrive (control)", async () => {
    await using house = await openHouse();
    const desk = deskAt(house);
    const { orderId } = await unheard(desk);
    await searchLostNotices({ pool: house.pool, desk }, noSignal);
    expect(await counts(house, orderId)).toEqual([0, 0, 0]);
    box.receiver.down = false;
    await vi.waitFor(() => expect(box.receiver.delivered.length).toBeGreaterThanOrEqual(4), soon);
  });
});

async function lostDispute(house: House) {
  const { orderId, intentId } = await placeAndPay(house.desk);
  const disputeId = `du_${randomUUID()}`;
  const { payments } = house.around;
  payments.setDispute({
    ...{ id: disputeId, intentId, amountPence: 4500, reason: "general" },
    outcome: undefined,
  });
  payments.lose({ eventId: `evt_${disputeId}`, kind: "dispute", disputeId }, house.desk.now());
  return orderId;
}
const search = (house: House) => searchLostNotices(house, noSignal);

describe("the search", () => {
  it("reads every page once", async () => {
    await using house = await openHouse();
    const orders = [];
    for (let n = 0; n < 7; n += 1) orders.push(await lostDispute(house));
    house.skip(patienceSeconds + 5);
    await search(house);
    for (const orderId of orders) expect(await count(house, orderId, "DisputeOpened")).toBe(1);
    house.skip(patienceSeconds + 5);
    const before = house.around.payments.calls;
    await search(house);
    expect(house.around.payments.calls - before).toBe(1);
  });

  it("runs once in ten minutes, however many processes there are", async () => {
    await using house = await openHouse();
    const orderId = await lostDispute(house);
    house.skip(patienceSeconds + 5);
    const before = house.around.payments.calls;
    await Promise.all([search(house), search(house), search(house)]);
    // The list, the dispute and its intent.
    expect(house.around.payments.calls - before).toBe(3);
    expect(await count(house, orderId, "DisputeOpened")).toBe(1);
  });

  it("resumes where it was when the provider was unavailable", async () => {
    await using house = await openHouse();
    const orderId = await lostDispute(house);
    house.skip(patienceSeconds + 5);
    house.around.payments.down = true;
    await expect(search(house)).rejects.toThrow("took it down");
    house.around.payments.down = false;
    house.skip(patienceSeconds + 5);
    await search(house);
    expect(await count(house, orderId, "DisputeOpened")).toBe(1);
  });

  it("retries an event that failed, then skips it for the ones behind it", async () => {
    await using house = await openHouse();
    const older = [];
    for (let n = 0; n < 3; n += 1) older.push(await lostDispute(house));
    const stubborn = await lostDispute(house);
    const { payments } = house.around;
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
      house.skip(patienceSeconds + 5);
      await search(house);
    }
    expect(asked).toBe(6);
    expect(await count(house, stubborn, "DisputeOpened")).toBe(0);
    for (const orderId of older) expect(await count(house, orderId, "DisputeOpened")).toBe(1);
    expect(house.logLines.filter((line) => line.includes("are given up"))).toHaveLength(1);
  });

  it("runs as part of the policies", async () => {
    await using house = await openHouse();
    const orderId = await lostDispute(house);
    house.skip(patienceSeconds + 5);
    await house.begin({ sweepEverySeconds: noSweepSeconds, reconcileEverySeconds: 0.1 });
    await vi.waitFor(async () => expect(await count(house, orderId, "DisputeOpened")).toBe(1), soon);
  });

  it("reports that the key lacks a permission, and still checks open payments", async () => {
    await using house = await openHouse();
    const { payments } = house.around;
    payments.undeliveredNotices = async () => {
      throw new PaymentsRefused("unauthorized");
    };
    const { orderId, intentId } = await placeAndAsk(house.desk);
    payments.change(intentId, { status: "succeeded" });
    house.skip(patienceSeconds + 5);
    await house.begin({ sweepEverySeconds: noSweepSeconds, reconcileEverySeconds: 0.1 });
    await vi.waitFor(async () => expect(await count(house, orderId, "PaymentConfirmed")).toBe(1), soon);
    await vi.waitFor(() => {
      const said = house.logLines.filter((line) => line.includes("could not be asked for"));
      expect(said.map((line) => JSON.parse(line).code)).toEqual(["unauthorized"]);
    }, soon);
  });
});
