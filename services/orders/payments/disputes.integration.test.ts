import Stripe from "stripe";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { type SandboxInTest, sandboxInTest } from "../../../testing/providers/sandbox-fixture.ts";
import { customer, pricedOrder, testDependencies } from "../../../testing/services/use-case-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import type { Payments } from "../../providers/stripe/payments.ts";
import { createStripePayments } from "../../providers/stripe/stripe-payments.ts";
import type { OrderDependencies } from "../dependencies.ts";
import { takePaymentNotice } from "./payment-webhook.ts";
import { confirmOrderPayment } from "./provider-reports.ts";
import { requestPayment } from "./request-payment.ts";

/**
 * From the cardholder's bank to the order: the stand-in for Stripe, its signed webhooks, the SDK that reads them, and
 * the decider.
 */

const provider = { actor: { kind: "provider" as const, id: "payments" }, correlationId: "a-notice" };
const memory = testDependencies();
let box: SandboxInTest;
let payments: Payments;
let deps: OrderDependencies;

beforeAll(async () => {
  box = await sandboxInTest({
    stripeBehaviour: { webhooks: "hostile", refunds: "ok" },
    latestWebhookMs: 300,
  });
  payments = createStripePayments({ ...box.addresses.stripe, now: () => new Date() });
  deps = { ...memory, payments };
});
afterAll(() => box.close());

async function paidOrder(): Promise<{ orderId: string; intentId: string }> {
  const { host, port, protocol, secretKey } = box.addresses.stripe;
  const stripe = new Stripe(secretKey, { host, port, protocol, telemetry: false });
  const orderId = await pricedOrder(memory);
  const { order } = await requestPayment(deps, orderId, 4500, customer);
  const intentId = order.intents.open?.intentId ?? "";
  await stripe.paymentIntents.confirm(intentId, { payment_method: "pm_card_visa" });
  await confirmOrderPayment(deps, orderId, customer);
  return { orderId, intentId };
}

const control = async (path: string, body: object): Promise<string> => {
  const answer = await fetch(`${box.receiver.url}/sandbox/payments/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return z.object({ id: z.string() }).parse(await answer.json()).id;
};

/** Takes every webhook as it came: twice, late and out of order. */
async function takeAll(least: number): Promise<void> {
  await vi.waitFor(() => expect(box.receiver.delivered.length).toBeGreaterThanOrEqual(least), soon);
  for (const { body, headers } of box.receiver.delivered.splice(0)) {
    const notice = payments.readWebhook(Buffer.from(body), headers["stripe-signature"]);
    await takePaymentNotice(deps, notice, provider);
  }
}

it("a dispute that comes twice and out of order is opened and closed once, and holds refunds up between", async () => {
  const { orderId, intentId } = await paidOrder();
  const wish = { intentId, amountPence: 100, reason: "staffDecision", approvalAbovePence: null } as const;
  const refund = () =>
    deps.orders.execute({
      orderId,
      commandId: deps.newId(),
      by: customer,
      command: { type: "RequestRefund", data: wish },
    });
  // Intent made and paid, then the dispute: three events, each delivered twice.
  const disputeId = await control("disputes", { intentId, reason: "credit_not_processed" });
  await takeAll(6);
  expect((await deps.orders.load(orderId)).order.disputes).toMatchObject([
    { disputeId, amountPence: 4500, reason: "creditNotProcessed", outcome: null },
  ]);
  await expect(refund()).rejects.toMatchObject({ rule: "dispute-open" });

  await control("disputes/close", { disputeId, status: "won" });
  await takeAll(4);
  const types = (await memory.events(orderId)).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith("Dispute"))).toEqual(["DisputeOpened", "DisputeClosed"]);
  expect((await refund()).order.refunds).toHaveLength(1);
});
