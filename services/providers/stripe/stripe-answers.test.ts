import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { WebhookRefused } from "./payments.ts";
import { parseDispute, parseIntent, parseNotice } from "./stripe-answers.ts";
import { createStripePayments } from "./stripe-payments.ts";

const webhookSecret = "whsec_of_this_test";
const arrivedAt = new Date("2026-11-21T09:30:00Z");
const payments = createStripePayments({ secretKey: "sk_x", webhookSecret, now: () => arrivedAt });

/** Signs as Stripe documents it, independently of the sandbox. */
function signed(body: string, at = arrivedAt, secret = webhookSecret): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}
const event = (type: string, object: object) =>
  JSON.stringify({ id: "evt_1", object: "event", type, data: { object } });
const aboutIntent = event("payment_intent.succeeded", { object: "payment_intent", id: "pi_1" });
const read = (body: string, signature: string | undefined) =>
  payments.readWebhook(Buffer.from(body), signature);

describe("a webhook", () => {
  it("points to an intent, a refund, or nothing", () => {
    expect(read(aboutIntent, signed(aboutIntent))).toEqual({
      eventId: "evt_1",
      kind: "intent",
      intentId: "pi_1",
      outcome: "succeeded",
    });
    const aboutDecline = event("payment_intent.payment_failed", { object: "payment_intent", id: "pi_1" });
    expect(read(aboutDecline, signed(aboutDecline))).toMatchObject({ kind: "intent", outcome: "failed" });
    const aboutRefund = event("refund.created", { object: "refund", id: "re_1", payment_intent: "pi_1" });
    expect(read(aboutRefund, signed(aboutRefund))).toEqual({
      eventId: "evt_1",
      kind: "refund",
      intentId: "pi_1",
      refundId: "re_1",
    });
    const aboutMoney = event("balance.available", { object: "balance", available: [] });
    expect(read(aboutMoney, signed(aboutMoney))).toEqual({ eventId: "evt_1", kind: "other" });
  });

  it("points to nothing when its type is not one that is taken", () => {
    const created = event("payment_intent.created", { object: "payment_intent", id: "pi_1" });
    expect(read(created, signed(created))).toEqual({ eventId: "evt_1", kind: "other" });
  });

  it("is accepted for 300 seconds and no longer", () => {
    const secondsAgo = (seconds: number) => new Date(arrivedAt.getTime() - seconds * 1000);
    expect(read(aboutIntent, signed(aboutIntent, secondsAgo(300)))).toMatchObject({ kind: "intent" });
    expect(() => read(aboutIntent, signed(aboutIntent, secondsAgo(301)))).toThrow(WebhookRefused);
  });

  it.each([
    ["no", undefined],
    ["another secret's", signed(aboutIntent, arrivedAt, "whsec_other")],
    ["another body's", signed(event("payment_intent.succeeded", { object: "payment_intent", id: "pi_2" }))],
    ["nonsense", "t=1,v1=nonsense"],
  ])("is refused with %s signature", (_whose, signature) => {
    expect(() => read(aboutIntent, signature)).toThrow(WebhookRefused);
  });
});

describe("a Stripe intent", () => {
  const answer = {
    object: "payment_intent",
    id: "pi_1",
    status: "requires_payment_method",
    amount: 4500,
    amount_received: 0,
    currency: "gbp",
    client_secret: "pi_1_secret_x",
    metadata: { orderId: "o", attempt: "3" },
    last_payment_error: null,
  };

  it.each([
    ["requires_action", "unpaid"],
    ["requires_confirmation", "unpaid"],
    ["processing", "processing"],
    ["canceled", "cancelled"],
  ])("with status %s is %s", (theirs, ours) => {
    expect(parseIntent({ ...answer, status: theirs }).status).toBe(ours);
  });

  it("once paid, has the amount received, not the amount requested", () => {
    const paid = parseIntent({ ...answer, status: "succeeded", amount_received: 4000 });
    expect(paid).toMatchObject({ status: "succeeded", amountPence: 4000 });
  });

  it.each([
    [
      "the bank's reason if we know it",
      { code: "card_declined", decline_code: "insufficient_funds" },
      "insufficient_funds",
    ],
    [
      "the general code if we do not",
      { code: "card_declined", decline_code: "do_not_honor" },
      "card_declined",
    ],
    ["the only code given", { code: "expired_card", decline_code: null }, "expired_card"],
  ])("has %s", (_what, failure, code) => {
    expect(parseIntent({ ...answer, last_payment_error: failure }).failureCode).toBe(code);
  });

  it.each(["\0", "__proto__", "INV-2026-1"])("names no order and no checkout by %j", (strange) => {
    const metadata = { orderId: strange, checkoutId: strange };
    expect(parseIntent({ ...answer, metadata })).toMatchObject({ orderId: undefined, checkoutId: undefined });
  });

  it("is rejected with an unknown status", () => {
    expect(() => parseIntent({ ...answer, status: "maybe" })).toThrow();
  });
});

describe("a dispute", () => {
  const answer = {
    object: "dispute",
    id: "du_1",
    status: "needs_response",
    amount: 4500,
    reason: "fraudulent",
    payment_intent: "pi_1",
  };

  it.each([
    ["needs_response", undefined],
    ["warning_under_review", undefined],
    ["appeal_under_review", undefined],
    ["a_status_of_tomorrow", undefined],
    ["won", "won"],
    ["lost", "lost"],
    ["warning_closed", "warningClosed"],
    ["prevented", "warningClosed"],
  ])("with status %s is decided as %s", (status, outcome) => {
    expect(parseDispute({ ...answer, status }).outcome).toBe(outcome);
  });

  it("of a payment without an intent names none", () => {
    expect(parseDispute({ ...answer, payment_intent: null }).intentId).toBeUndefined();
  });

  it("is the subject of its notice", () => {
    const body = { id: "evt_1", type: "charge.dispute.created", data: { object: answer } };
    expect(parseNotice(body)).toEqual({ eventId: "evt_1", kind: "dispute", disputeId: "du_1" });
  });
});
