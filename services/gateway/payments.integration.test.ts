import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { groSignature } from "../../testing/gateway/gateway-fixture.ts";
import { variantBody } from "../../testing/gateway/request-bodies-fixture.ts";
import {
  awaitingPayment,
  createdOrder,
  type Ordered,
  pricedOrder,
  startTestStack,
  type TestStack,
} from "../../testing/gateway/stack-fixture.ts";
import type { Reply, TestBrowser } from "../../testing/gateway/test-browser.ts";
import type { PaymentNotice } from "../providers/stripe/payments.ts";

let stack: TestStack;
let browser: TestBrowser;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());
beforeEach(() => {
  browser = stack.browser();
});
afterEach(() => {
  stack.payments.down = false;
});

const typesOf = async (orderId: string) => (await stack.events(orderId)).map(({ type }) => type);
const paid = (intentId: string) => stack.payments.change(intentId, { status: "succeeded" });
const processing = { status: "Processing", message: "Order submitted for processing" };

/** Nothing may be written by a request that is refused. */
async function refused(request: () => Promise<Reply>, status: number, members: object): Promise<void> {
  const before = await stack.head();
  const reply = await request();
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject(members);
  expect(await stack.head()).toBe(before);
}

describe("POST /api/create-payment-intent", () => {
  test("gives the secret to pay with, once for as many requests", async () => {
    const { id } = await pricedOrder(browser);
    const ask = () => browser.post("/api/create-payment-intent", { amount: 45, orderId: id });
    const replies = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(replies.map(({ body }) => body.clientSecret)).size).toBe(1);
    expect((await ask()).body).toEqual({ clientSecret: replies[0]?.body.clientSecret });
    expect(await typesOf(id)).toEqual(["OrderCreated", "VariantAdded", "PaymentRequested"]);
    expect(JSON.stringify(await stack.events(id))).not.toContain("_secret");
  });

  test("without a variant is refused, and the rule is named", async () => {
    const { id } = await createdOrder(browser);
    await refused(() => browser.post("/api/create-payment-intent", { amount: 45, orderId: id }), 409, {
      code: "forbidden-in-phase",
      phase: "Opened",
      rule: "variant-missing",
    });
  });

  test.each([
    ["termsVersion", "terms-not-accepted"],
    ["consentVersion", "consent-missing"],
  ])("without %s is refused", async (member, rule) => {
    const { id } = await createdOrder(browser, { [member]: null });
    await browser.post(`/api/orders/${id}/variants`, variantBody());
    await refused(() => browser.post("/api/create-payment-intent", { amount: 45, orderId: id }), 409, {
      rule,
    });
    expect([...stack.payments.intents.values()].filter(({ orderId }) => orderId === id)).toEqual([]);
  });

  test("for another amount is refused with the right one", async () => {
    const { id } = await pricedOrder(browser);
    await refused(() => browser.post("/api/create-payment-intent", { amount: 0.01, orderId: id }), 409, {
      code: "wrong-amount",
      totalAmount: 45,
    });
  });

  test.each([
    [{ amount: 45 }, "orderId", "Order is required"],
    [{ amount: 45, orderId: "7" }, "orderId", "Order is required"],
    [{ amount: 45, orderId: [randomUUID()] }, "orderId", "Order is required"],
  ])("with %j names the missing order", async (body, field, message) => {
    await refused(() => browser.post("/api/create-payment-intent", body), 422, {
      errors: { [field]: message },
    });
  });

  test("makes a new intent once the provider has cancelled the old one", async () => {
    const { id, intentId } = await awaitingPayment(browser);
    stack.payments.change(intentId, { status: "cancelled" });
    const again = await browser.post("/api/create-payment-intent", { amount: 45, orderId: id });
    expect(again.body.clientSecret).not.toContain(`${intentId}_secret`);
    const requests = (await stack.events(id)).filter(({ type }) => type === "PaymentRequested");
    expect(requests.map(({ data }) => data.closedIntentId)).toEqual([null, intentId]);
  });

  test("of an order that was paid meanwhile confirms the payment and asks for no other", async () => {
    const { id, intentId } = await awaitingPayment(browser);
    paid(intentId);
    const reply = await browser.post("/api/create-payment-intent", { amount: 45, orderId: id });
    expect(reply.status).toBe(409);
    expect(reply.body).toMatchObject({ code: "forbidden-in-phase", rule: "already-paid" });
    expect((await typesOf(id)).filter((type) => type === "PaymentConfirmed")).toHaveLength(1);
  });

  test("while the provider is down answers 503 and writes nothing", async () => {
    const { id } = await pricedOrder(browser);
    stack.payments.down = true;
    await refused(() => browser.post("/api/create-payment-intent", { amount: 45, orderId: id }), 503, {
      code: "payments-unavailable",
    });
  });
});

describe("POST /api/orders/{id}/status and /submit", () => {
  test.each(["status", "submit"])("%s believes the provider, never the browser", async (call) => {
    const { id } = await awaitingPayment(browser);
    await refused(() => browser.post(`/api/orders/${id}/${call}`, processing), 409, {
      code: "payment-not-received",
      phase: "AwaitingPayment",
      rule: "not-paid",
    });
  });

  test.each(["status", "submit"])("%s of an order without a requested payment is refused", async (call) => {
    const { id } = await pricedOrder(browser);
    await refused(() => browser.post(`/api/orders/${id}/${call}`, processing), 409, {
      code: "payment-not-received",
      phase: "Priced",
      rule: "not-paid",
    });
  });

  test.each(["status", "submit"])("%s waits while the card is being charged", async (call) => {
    const { id, intentId } = await awaitingPayment(browser);
    stack.payments.change(intentId, { status: "processing" });
    await refused(() => browser.post(`/api/orders/${id}/${call}`, processing), 409, {
      code: "payment-processing",
    });
  });

  test("status takes no other status than Processing", async () => {
    const { id } = await awaitingPayment(browser);
    const reply = await browser.post(`/api/orders/${id}/status`, { status: "Fulfilled" });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual({
      status: "Status can only be Processing: every other status is set automatically",
    });
  });

  test("confirm a payment once and ask once for the submission, however often they come", async () => {
    const { id, intentId, orderNumber } = await awaitingPayment(browser);
    paid(intentId);
    const calls = ["status", "submit", "status", "submit"];
    const replies = await Promise.all(
      calls.map((call) => browser.post(`/api/orders/${id}/${call}`, processing)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const submitted = await browser.post(`/api/orders/${id}/submit`);
    expect(submitted.body).toMatchObject({ orderNumber, status: "Processing" });
    expect((await typesOf(id)).slice(3)).toEqual(["PaymentConfirmed", "SubmissionRequested"]);
  });

  test("do not believe an intent of another order", async () => {
    const { id, intentId } = await awaitingPayment(browser);
    stack.payments.change(intentId, { status: "succeeded", orderId: randomUUID() });
    await refused(() => browser.post(`/api/orders/${id}/status`, processing), 409, {
      code: "payment-not-received",
    });
    expect(stack.logLines.join("")).toContain("payment does not match its order");
  });

  test("do not believe another currency", async () => {
    const { id, intentId } = await awaitingPayment(browser);
    stack.payments.change(intentId, { status: "succeeded", currency: "jpy" });
    await refused(() => browser.post(`/api/orders/${id}/status`, processing), 409, {
      code: "payment-not-received",
    });
  });

  test("record money that was not asked for, and give it back", async () => {
    const { id, intentId } = await awaitingPayment(browser);
    stack.payments.change(intentId, { status: "succeeded", amountPence: 100 });
    const reply = await browser.post(`/api/orders/${id}/submit`);
    expect(reply.status).toBe(409);
    expect((await typesOf(id)).slice(3)).toEqual(["PaymentReceivedUnexpectedly", "RefundRequested"]);
  });
});

describe("POST /api/orders/{id}/cancel", () => {
  const cancel = ({ id }: Ordered, body?: unknown) => browser.post(`/api/orders/${id}/cancel`, body);

  test("cancels the intent at the provider first", async () => {
    const order = await awaitingPayment(browser);
    const reply = await cancel(order, { reason: "replaced" });
    expect(reply.body).toMatchObject({ status: "Cancelled" });
    expect(stack.payments.intents.get(order.intentId)?.status).toBe("cancelled");
    const last = (await stack.events(order.id)).at(-1);
    expect(last).toMatchObject({ type: "OrderCancelled", data: { reason: "replaced", by: "customer" } });
  });

  test("of an order that was paid meanwhile confirms the payment, so that it is refunded", async () => {
    const order = await awaitingPayment(browser);
    paid(order.intentId);
    expect((await cancel(order)).status).toBe(200);
    expect((await typesOf(order.id)).slice(3)).toEqual(["PaymentConfirmed", "OrderCancelled"]);
  });

  test("of an order that is replaced leaves it alone if it was paid meanwhile", async () => {
    const order = await awaitingPayment(browser);
    paid(order.intentId);
    const reply = await cancel(order, { reason: "replaced" });
    expect(reply).toMatchObject({ status: 409, body: { code: "forbidden-in-phase", rule: "already-paid" } });
    expect((await typesOf(order.id)).slice(3)).toEqual(["PaymentConfirmed"]);
  });

  test("waits for the outcome while the card is being charged", async () => {
    const order = await awaitingPayment(browser);
    stack.payments.change(order.intentId, { status: "processing" });
    await refused(() => cancel(order), 409, { code: "payment-processing" });
  });

  test("twice changes nothing more", async () => {
    const order = await pricedOrder(browser);
    await cancel(order);
    const before = await stack.head();
    expect((await cancel(order)).status).toBe(200);
    expect(await stack.head()).toBe(before);
  });

  test("leaves the order closed to everything else", async () => {
    const order = await pricedOrder(browser);
    await cancel(order);
    const members = { code: "forbidden-in-phase", phase: "Cancelled", rule: "already-cancelled" };
    await refused(() => browser.post(`/api/orders/${order.id}/variants`, variantBody()), 409, members);
    await refused(
      () => browser.post("/api/create-payment-intent", { amount: 45, orderId: order.id }),
      409,
      members,
    );
  });

  test("takes only the reasons that are a customer's", async () => {
    const order = await pricedOrder(browser);
    await refused(() => cancel(order, { reason: "expired" }), 422, { code: "invalid-fields" });
  });
});

describe("POST /api/webhooks/stripe", () => {
  const deliver = (notice: PaymentNotice, signature?: string) => {
    const signed = stack.payments.sign(notice);
    const headers = { "Stripe-Signature": signature ?? signed.signature, "Content-Type": "application/json" };
    return fetch(`${stack.url}/api/webhooks/stripe`, { method: "POST", headers, body: signed.body });
  };
  const about = (intentId: string, outcome: "succeeded" | "failed" = "succeeded"): PaymentNotice => ({
    eventId: `evt_${randomUUID()}`,
    kind: "intent",
    intentId,
    outcome,
  });

  test("confirms a payment once, however often and beside whatever browser it comes", async () => {
    const { id, intentId } = await awaitingPayment(browser);
    paid(intentId);
    const notice = about(intentId);
    await Promise.all([
      deliver(notice),
      deliver(notice),
      deliver(about(intentId)),
      browser.post(`/api/orders/${id}/submit`),
    ]);
    expect((await typesOf(id)).filter((type) => type.startsWith("Payment"))).toEqual([
      "PaymentRequested",
      "PaymentConfirmed",
    ]);
  });

  test("that is forged is refused without asking the provider", async () => {
    const { id, intentId } = await awaitingPayment(browser);
    paid(intentId);
    const calls = stack.payments.calls;
    expect((await deliver(about(intentId), "forged")).status).toBe(400);
    expect(stack.payments.calls).toBe(calls);
    expect(await typesOf(id)).not.toContain("PaymentConfirmed");
  });

  test("believes what the provider answers, not what the notice says", async () => {
    const { id, intentId } = await awaitingPayment(browser);
    expect((await deliver(about(intentId))).status).toBe(200);
    expect(await typesOf(id)).not.toContain("PaymentConfirmed");
  });

  test("records a declined card, and the order stays payable", async () => {
    const { id, intentId } = await awaitingPayment(browser);
    stack.payments.change(intentId, { failureCode: "card_declined" });
    const notice = about(intentId, "failed");
    await deliver(notice);
    await deliver(notice);
    await deliver(about(intentId));
    const failures = (await stack.events(id)).filter(({ type }) => type === "PaymentFailed");
    expect(failures.map(({ data }) => data.code)).toEqual(["cardDeclined"]);
    const again = await browser.post("/api/create-payment-intent", { amount: 45, orderId: id });
    expect(again.body.clientSecret).toBe(`${intentId}_secret`);
  });

  test("after a late success refunds what came for a cancelled order", async () => {
    const order = await awaitingPayment(browser);
    await browser.post(`/api/orders/${order.id}/cancel`);
    paid(order.intentId);
    await deliver(about(order.intentId));
    expect((await typesOf(order.id)).slice(4)).toEqual(["PaymentReceivedUnexpectedly", "RefundRequested"]);
  });

  test.each(["succeeded", "failed"] as const)("records a refund that %s once", async (status) => {
    const order = await awaitingPayment(browser);
    paid(order.intentId);
    await browser.post(`/api/orders/${order.id}/status`, processing);
    const refund = {
      id: `re_${randomUUID()}`,
      refundId: undefined,
      intentId: order.intentId,
      amountPence: 4500,
    };
    stack.payments.addRefund({ ...refund, status, failureCode: undefined });
    const notice = { eventId: "evt", kind: "refund" as const, intentId: order.intentId, refundId: refund.id };
    await deliver(notice);
    await deliver({ ...notice, eventId: "evt_late" });
    expect((await typesOf(order.id)).slice(4)).toEqual([
      status === "failed" ? "RefundFailed" : "RefundIssued",
    ]);
  });

  test("about an order that is none of ours is taken and logged, because sending it again would change nothing", async () => {
    const { intentId } = await awaitingPayment(browser);
    stack.payments.change(intentId, { status: "succeeded", orderId: randomUUID() });
    const before = await stack.head();
    expect((await deliver(about(intentId))).status).toBe(200);
    expect(await stack.head()).toBe(before);
    expect(stack.logLines.join("")).toContain("belongs to no order of ours");
  });

  test("about a payment that the provider itself does not know is taken and logged, and a known one is not lost beside it", async () => {
    const { id, intentId } = await awaitingPayment(browser);
    paid(intentId);
    expect((await deliver(about("pi_of_another_account"))).status).toBe(200);
    expect(stack.logLines.join("")).toContain("pi_of_another_account");
    expect((await deliver(about(intentId))).status).toBe(200);
    expect(await typesOf(id)).toContain("PaymentConfirmed");
  });

  test("is asked for again while the provider cannot be asked", async () => {
    const { intentId } = await awaitingPayment(browser);
    stack.payments.down = true;
    expect((await deliver(about(intentId))).status).toBe(503);
  });
});

describe("POST /api/webhooks/gro", () => {
  const deliver = (notice: object, signature = groSignature) =>
    fetch(`${stack.url}/api/webhooks/gro`, {
      method: "POST",
      headers: { "webhook-signature": signature, "Content-Type": "application/json" },
      body: JSON.stringify(notice),
    });
  const dispatched = (orderId: string) => ({
    noticeId: randomUUID(),
    key: `order-${orderId}-submission-1`,
    kind: "dispatched",
    occurredAt: "2026-11-21T09:30:00.000Z",
  });

  async function paidOrder(): Promise<Ordered> {
    const order = await awaitingPayment(browser);
    paid(order.intentId);
    await browser.post(`/api/orders/${order.id}/submit`);
    return order;
  }

  test("records a dispatch once on the order that its key names", async () => {
    const { id } = await paidOrder();
    const notice = dispatched(id);
    expect((await deliver(notice)).status).toBe(200);
    expect((await deliver(notice)).status).toBe(200);
    expect((await typesOf(id)).filter((type) => type === "CertificateDispatched")).toHaveLength(1);
  });

  test("that is forged is refused", async () => {
    const { id } = await paidOrder();
    const before = await stack.head();
    expect((await deliver(dispatched(id), "forged")).status).toBe(400);
    expect(await stack.head()).toBe(before);
  });

  test.each(["order-7-submission-1", `order-${randomUUID()}-submission-1`])(
    "with the unknown key %s is accepted and changes nothing",
    async (key) => {
      const before = await stack.head();
      expect((await deliver({ ...dispatched(randomUUID()), key })).status).toBe(200);
      expect(await stack.head()).toBe(before);
    },
  );
});
