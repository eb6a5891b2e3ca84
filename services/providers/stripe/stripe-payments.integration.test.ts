import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { paymentFailureCodeOf } from "../../../domain/order/vocabulary.ts";
import { type SandboxInTest, sandboxInTest } from "../../../testing/providers/sandbox-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { type Payments, PaymentsRefused, PaymentsUnavailable } from "./payments.ts";
import { stripeApiVersion } from "./stripe-answers.ts";
import { createStripePayments } from "./stripe-payments.ts";

let box: SandboxInTest;
let payments: Payments;
let stripe: Stripe;
const orderId = () => randomUUID();
const now = () => new Date();

const connect = () => {
  const { host, port, protocol, secretKey } = box.addresses.stripe;
  payments = createStripePayments({ ...box.addresses.stripe, now });
  stripe = new Stripe(secretKey, { host, port, protocol, telemetry: false });
};

beforeAll(async () => {
  box = await sandboxInTest({ latestWebhookMs: 800 });
  connect();
});
afterAll(() => box.close());
beforeEach(() => {
  box.receiver.delivered.length = 0;
  box.receiver.down = false;
});

/** Pays as a server with a test token would; the card frame has separate tests. */
const pay = (intentId: string, token = "pm_card_visa") =>
  stripe.paymentIntents.confirm(intentId, { payment_method: token });

const paidIntent = async (amountPence = 9000) => {
  const { id } = await payments.createIntent({ orderId: orderId(), amountPence, attempt: 1 });
  await pay(id);
  return id;
};

/** Those that are taken: an intent's creation is not. */
const noticesAbout = (id: string) =>
  box.receiver.delivered
    .map((delivered) =>
      payments.readWebhook(Buffer.from(delivered.body), delivered.headers["stripe-signature"]),
    )
    .filter((notice) => "intentId" in notice && notice.intentId === id);

describe("events that no webhook delivered", () => {
  const aMinute = () => ({ from: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) });
  const idsOf = async (span = aMinute()) =>
    (await payments.undeliveredNotices(span)).notices.flatMap((notice) =>
      "intentId" in notice ? [notice.intentId] : [],
    );

  it("are listed newest first, of the types we take, until the receiver accepts them", async () => {
    box.receiver.down = true;
    const first = await paidIntent();
    const second = await paidIntent();
    expect((await idsOf()).slice(0, 2)).toEqual([second, first]);
    const made = await stripe.events.list({ type: "payment_intent.created" });
    expect(made.data.length).toBeGreaterThanOrEqual(2);
    box.receiver.down = false;
    await vi.waitFor(async () => expect(await idsOf()).toEqual([]), soon);
    const delivered = await stripe.events.list({ delivery_success: true, limit: 100 });
    expect(delivered.data.map(({ data }) => "id" in data.object && data.object.id)).toContain(first);
  });

  it("can be requested by time", async () => {
    box.receiver.down = true;
    const id = await paidIntent();
    const { created } = (await stripe.events.list({ limit: 1 })).data[0] ?? { created: 0 };
    const at = (seconds: number) => new Date((created + seconds) * 1000);
    expect(await idsOf({ from: at(0), until: at(1) })).toContain(id);
    expect(await idsOf({ from: at(-9), until: at(0) })).not.toContain(id);
    expect(await idsOf({ from: at(1), until: at(9) })).not.toContain(id);
  });

  it("come in pages in both directions, and not from an unknown event", async () => {
    await paidIntent();
    await paidIntent();
    const all = (await stripe.events.list({ limit: 100 })).data.map(({ id }) => id);
    const [newest = "", second = "", third = "", fourth = ""] = all;
    const older = await stripe.events.list({ limit: 2, starting_after: newest });
    expect([older.data.map(({ id }) => id), older.has_more]).toEqual([[second, third], all.length > 3]);
    const newer = await stripe.events.list({ limit: 2, ending_before: fourth });
    expect([newer.data.map(({ id }) => id), newer.has_more]).toEqual([[second, third], true]);
    expect((await stripe.events.list({ starting_after: all.at(-1) ?? "" })).has_more).toBe(false);
    await expect(payments.undeliveredNotices(aMinute(), "evt_nobody")).rejects.toMatchObject({
      name: "PaymentsRefused",
      code: "notFound",
    });
  });
});

describe("payment intents", () => {
  it("makes an intent that names the order and the attempt", async () => {
    const id = orderId();
    const intent = await payments.createIntent({ orderId: id, amountPence: 4500, attempt: 2 });
    expect(intent).toMatchObject({
      status: "unpaid",
      amountPence: 4500,
      currency: "gbp",
      orderId: id,
      attempt: 2,
      failureCode: undefined,
    });
    expect(intent.clientSecret).toMatch(new RegExp(`^${intent.id}_secret_\\w{32}$`));
    expect(await payments.retrieveIntent(intent.id)).toEqual(intent);
  });

  it("makes one intent when the same attempt is requested ten times at once", async () => {
    const request = { orderId: orderId(), amountPence: 7500, attempt: 1 };
    const intents = await Promise.all(Array.from({ length: 10 }, () => payments.createIntent(request)));
    expect(new Set(intents.map(({ id }) => id)).size).toBe(1);
    expect(await payments.intentsOf(request.orderId)).toHaveLength(1);
  });

  it("refuses another amount under the same attempt", async () => {
    const request = { orderId: orderId(), amountPence: 4500, attempt: 1 };
    await payments.createIntent(request);
    await expect(payments.createIntent({ ...request, amountPence: 9000 })).rejects.toMatchObject({
      name: "PaymentsRefused",
      code: "otherBodyUnderSameKey",
    });
  });

  it("answers a repeat with the current intent, not the original one", async () => {
    const request = { orderId: orderId(), amountPence: 4500, attempt: 1 };
    const { id } = await payments.createIntent(request);
    await pay(id);
    expect(await payments.createIntent(request)).toMatchObject({ id, status: "succeeded" });
  });

  it("makes an intent for a checkout of several orders, and another one for another sum", async () => {
    const request = { checkoutId: orderId(), amountPence: 9000, attempt: 1 };
    const intent = await payments.createIntent(request);
    expect(intent).toMatchObject({ checkoutId: request.checkoutId, orderId: undefined, amountPence: 9000 });
    expect((await payments.createIntent(request)).id).toBe(intent.id);
    const less = await payments.createIntent({ ...request, amountPence: 4500 });
    expect(less).toMatchObject({ checkoutId: request.checkoutId, amountPence: 4500 });
    expect(less.id).not.toBe(intent.id);
  });

  it("finds the intents of one order only", async () => {
    const [mine, other] = [orderId(), orderId()];
    const first = await payments.createIntent({ orderId: mine, amountPence: 4500, attempt: 1 });
    const second = await payments.createIntent({ orderId: mine, amountPence: 4500, attempt: 2 });
    await payments.createIntent({ orderId: other, amountPence: 4500, attempt: 1 });
    const found = await payments.intentsOf(mine);
    expect(found.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
  });

  it("returns why a card was declined, and the intent can still be paid", async () => {
    const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
    await expect(pay(id, "pm_card_chargeDeclined")).rejects.toMatchObject({ type: "StripeCardError" });
    const declined = await payments.retrieveIntent(id);
    expect(declined.status).toBe("unpaid");
    expect(paymentFailureCodeOf(declined.failureCode)).toBe("cardDeclined");
    await expect(pay(id, "pm_card_chargeDeclinedInsufficientFunds")).rejects.toThrow(/insufficient/);
    expect(await payments.retrieveIntent(id)).toMatchObject({ failureCode: "insufficient_funds" });
    await pay(id);
    expect(await payments.retrieveIntent(id)).toMatchObject({ status: "succeeded", failureCode: undefined });
  });

  it("does not charge a paid intent twice", async () => {
    const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
    await pay(id);
    await expect(pay(id)).rejects.toMatchObject({ code: "payment_intent_unexpected_state" });
  });

  it("cancels an unpaid intent, and allows a repeat", async () => {
    const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
    expect(await payments.cancelIntent(id)).toMatchObject({ status: "cancelled" });
    expect(await payments.cancelIntent(id)).toMatchObject({ status: "cancelled" });
    await expect(pay(id)).rejects.toMatchObject({ code: "payment_intent_unexpected_state" });
  });

  it("answers a cancellation with the payment if the customer was faster", async () => {
    const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
    await pay(id);
    expect(await payments.cancelIntent(id)).toMatchObject({ status: "succeeded", amountPence: 4500 });
  });

  it("is charged by one of ten requests at once, under different keys", async () => {
    const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => pay(id)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === "rejected")
        expect(answer.reason).toMatchObject({ code: "payment_intent_unexpected_state" });
    }
    await vi.waitFor(() => expect(noticesAbout(id)).toHaveLength(1), soon);
  });

  it("lets exactly one of a payment and a cancellation win when they race", async () => {
    const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
    const [paid, cancelled] = await Promise.allSettled([pay(id), payments.cancelIntent(id)]);
    const { status } = await payments.retrieveIntent(id);
    expect(paid.status).toBe(status === "succeeded" ? "fulfilled" : "rejected");
    expect(cancelled).toMatchObject({ status: "fulfilled", value: { status } });
  });

  it("distinguishes an unknown intent, a wrong key and an unavailable provider", async () => {
    await expect(payments.retrieveIntent("pi_unknown")).rejects.toMatchObject({ code: "notFound" });
    const stranger = createStripePayments({ ...box.addresses.stripe, secretKey: "sk_sandbox_wrong", now });
    await expect(stranger.retrieveIntent("pi_unknown")).rejects.toMatchObject({ code: "unauthorized" });
    const nowhere = createStripePayments({ ...box.addresses.stripe, port: 9, timeoutMs: 200, now });
    await expect(nowhere.retrieveIntent("pi_unknown")).rejects.toBeInstanceOf(PaymentsUnavailable);
  });
});

/** A POST without the SDK, whose answer to a repeat does not tell that it is one. */
async function post(path: string, key: string, fields: Record<string, string> = {}) {
  const { host, port, protocol, secretKey } = box.addresses.stripe;
  const answer = await fetch(`${protocol}://${host}:${port}/v1${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secretKey}`,
      "stripe-version": stripeApiVersion,
      "idempotency-key": key,
    },
    body: new URLSearchParams(fields),
  });
  const isReplayed = answer.headers.get("idempotent-replayed") === "true";
  return { status: answer.status, isReplayed, body: z.looseObject({}).parse(await answer.json()) };
}

const intentFields = (id: string) => ({ amount: "4500", currency: "gbp", "metadata[orderId]": id });

/** Waits until so many connections of the sandbox wait for a lock in a statement like this. @returns their processes */
async function waiting(count: number, statement: string): Promise<number[]> {
  return vi.waitFor(async () => {
    const { rows } = await box.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query ilike $1`,
      [`%${statement}%`],
    );
    expect(rows).toHaveLength(count);
    return rows.map(({ pid }) => pid);
  }, soon);
}

describe("an idempotency key", () => {
  it("gives ten requests at once the same answer, from one intent and one event", async () => {
    const [id, key] = [orderId(), randomUUID()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post("/payment_intents", key, intentFields(id))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(await payments.intentsOf(id)).toHaveLength(1);
    const { rows } = await box.pool.query(
      "select from sandbox.events where body -> 'data' -> 'object' -> 'metadata' ->> 'orderId' = $1",
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  it("replays its answer as it was, across a restart of the provider, and later too", async () => {
    const [id, key] = [orderId(), randomUUID()];
    const first = await post("/payment_intents", key, intentFields(id));
    await pay(String(first.body.id));
    box = await box.restart();
    connect();
    expect(await post("/payment_intents", key, intentFields(id))).toEqual({ ...first, isReplayed: true });
  });

  it("belongs to one path and body: another request under it changes nothing", async () => {
    const [id, key] = [orderId(), randomUUID()];
    const first = await post("/payment_intents", key, intentFields(id));
    const path = `/payment_intents/${first.body.id}`;
    for (const other of [
      await post(`${path}/cancel`, key),
      await post("/payment_intents", key, { ...intentFields(id), amount: "9000" }),
      await post("/payment_intents", key, { ...intentFields(id), amount: "none" }),
    ]) {
      expect(other).toMatchObject({ status: 400, body: { error: { type: "idempotency_error" } } });
    }
    const cancelKey = randomUUID();
    expect(await post(`${path}/cancel`, cancelKey)).toMatchObject({ status: 200, isReplayed: false });
    expect(await post("/payment_intents", cancelKey, intentFields(id))).toMatchObject({ status: 400 });
    expect(await payments.intentsOf(id)).toMatchObject([{ status: "cancelled" }]);
  });

  it("is free again after a refusal", async () => {
    const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
    const key = randomUUID();
    expect((await post("/refunds", key, { payment_intent: id })).status).toBe(400);
    await pay(id);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post("/refunds", key, { payment_intent: id })),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
  });

  it("passes to the request that waits for it when the first is rolled back", async () => {
    const [id, key] = [orderId(), randomUUID()];
    const first = await box.pool.connect();
    await first.query("begin");
    await first.query("insert into sandbox.answers values ($1, 'of another', 200, '{}')", [key]);
    const second = post("/payment_intents", key, intentFields(id));
    await waiting(1, "sandbox.answers");
    await first.query("rollback");
    first.release();
    expect(await second).toMatchObject({ status: 200, isReplayed: false });
    expect(await payments.intentsOf(id)).toHaveLength(1);
  });

  it("passes on likewise when the first request's connection breaks after it had the key", async () => {
    const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
    const key = randomUUID();
    const holder = await box.pool.connect();
    await holder.query("begin");
    await holder.query("select from sandbox.intents where id = $1 for update", [id]);
    const first = post(`/payment_intents/${id}/cancel`, key);
    const [pid] = await waiting(1, "sandbox.intents");
    const second = post(`/payment_intents/${id}/cancel`, key);
    await waiting(2, "");
    await holder.query("select pg_terminate_backend($1)", [pid]);
    expect((await first).status).toBe(500);
    expect(box.faults.splice(0)).toHaveLength(1);
    await holder.query("commit");
    holder.release();
    expect(await second).toMatchObject({ status: 200, isReplayed: false, body: { status: "canceled" } });
  });
});

describe("the version of the API", () => {
  it("is the one the sandbox supports; others are refused, as Stripe refuses unknown ones", async () => {
    const { host, port, secretKey } = box.addresses.stripe;
    const ask = async (version: string) => {
      const headers = { authorization: `Bearer ${secretKey}`, "stripe-version": version };
      return (await fetch(`http://${host}:${port}/v1/payment_intents`, { headers })).status;
    };
    expect([await ask(stripeApiVersion), await ask("2024-06-20"), await ask("")]).toEqual([200, 400, 400]);
  });
});

describe("refunds", () => {
  it("refunds once, however often it is requested", async () => {
    const intentId = await paidIntent();
    const request = { refundId: `order-${orderId()}-refund-1`, intentId, amountPence: 9000 };
    const [first, ...repeats] = await Promise.all(Array.from({ length: 5 }, () => payments.refund(request)));
    expect(first).toMatchObject({ refundId: request.refundId, amountPence: 9000, status: "succeeded" });
    for (const repeat of repeats) expect(repeat).toEqual(first);
    expect(await payments.refundsOf(intentId)).toEqual([first]);
  });

  it("finds an earlier refund although the provider has forgotten the key", async () => {
    const intentId = await paidIntent();
    const request = { refundId: `order-${orderId()}-refund-1`, intentId, amountPence: 4000 };
    const first = await payments.refund(request);
    await box.pool.query("delete from sandbox.answers where idempotency_key = $1", [request.refundId]);
    expect(await payments.refund(request)).toEqual(first);
    expect(await payments.refundsOf(intentId)).toHaveLength(1);
  });

  it("never refunds more than was paid", async () => {
    const intentId = await paidIntent(5000);
    const refund = (n: number, amountPence: number) =>
      payments.refund({ refundId: `order-${orderId()}-refund-${n}`, intentId, amountPence });
    await refund(1, 3000);
    await expect(refund(2, 2001)).rejects.toMatchObject({ code: "invalid" });
    await refund(3, 2000);
    await expect(refund(4, 1)).rejects.toMatchObject({ code: "nothingLeftToRefund" });
  });

  it("refuses to refund what was never paid", async () => {
    const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
    await expect(
      payments.refund({ refundId: "order-x-refund-1", intentId: id, amountPence: 4500 }),
    ).rejects.toBeInstanceOf(PaymentsRefused);
  });

  it("reports a refund that the bank returned", async () => {
    const intentId = await paidIntent();
    box.sandbox.behave({ refunds: "fail" });
    const refund = await payments.refund({ refundId: "order-y-refund-1", intentId, amountPence: 9000 });
    box.sandbox.behave({ refunds: "ok" });
    expect(refund).toMatchObject({ status: "failed", failureCode: "expired_or_canceled_card" });
  });
});

describe("disputes", () => {
  const control = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${box.receiver.url}/sandbox/payments/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const disputesTold = () =>
    box.receiver.delivered
      .map(({ body, headers }) => payments.readWebhook(Buffer.from(body), headers["stripe-signature"]))
      .flatMap((notice) => (notice.kind === "dispute" ? [notice.disputeId] : []));
  const disputed = async (reason = "product_not_received") => {
    const intentId = await paidIntent(9000);
    const opened = await control("disputes", { intentId, reason });
    const { id } = z.object({ id: z.string() }).parse(await opened.json());
    return { intentId, id };
  };

  it("are announced, and retrieved with their reason and no outcome", async () => {
    const { intentId, id } = await disputed();
    await vi.waitFor(() => expect(disputesTold()).toEqual([id]), soon);
    expect(await payments.retrieveDispute(id)).toEqual({
      id,
      intentId,
      amountPence: 9000,
      reason: "product_not_received",
      outcome: undefined,
    });
  });

  it.each([
    ["won", "won"],
    ["lost", "lost"],
    ["warning_closed", "warningClosed"],
  ])(
    "that are %s are announced again, with the outcome %s, and cannot be decided twice",
    async (status, outcome) => {
      const { id } = await disputed();
      expect((await control("disputes/close", { disputeId: id, status })).status).toBe(200);
      await vi.waitFor(() => expect(disputesTold()).toEqual([id, id, id]), soon);
      expect(await payments.retrieveDispute(id)).toMatchObject({ outcome });
      expect((await control("disputes/close", { disputeId: id, status })).status).toBe(400);
    },
  );

  it("block refunds until decided", async () => {
    const { intentId, id } = await disputed();
    const refund = () => payments.refund({ refundId: `order-${id}-refund-1`, intentId, amountPence: 9000 });
    await expect(refund()).rejects.toMatchObject({ code: "invalid" });
    expect((await control("disputes", { intentId })).status).toBe(400);
    await control("disputes/close", { disputeId: id, status: "won" });
    expect(await refund()).toMatchObject({ status: "succeeded" });
  });

  it("are not found if unknown, and cannot be opened on unpaid intents", async () => {
    await expect(payments.retrieveDispute("du_unknown")).rejects.toMatchObject({ code: "notFound" });
    const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
    expect((await control("disputes", { intentId: id })).status).toBe(400);
  });

  it("can be tried by hand on a page that accepts no forms from other sites", async () => {
    const { id } = await disputed("duplicate");
    const page = await (await fetch(`${box.receiver.url}/sandbox/payments`)).text();
    expect(page).toContain(id);
    expect(page).toContain("Decide: lost");
    const form = (site: string) =>
      fetch(`${box.receiver.url}/sandbox/payments/disputes/close`, {
        method: "POST",
        redirect: "manual",
        headers: { "sec-fetch-site": site },
        body: new URLSearchParams({ disputeId: id, status: "lost" }),
      });
    expect((await form("cross-site")).status).toBe(403);
    expect((await form("same-origin")).status).toBe(303);
    expect(await payments.retrieveDispute(id)).toMatchObject({ outcome: "lost" });
  });
});

describe("webhooks", () => {
  it("announces an intent and a refund, signed, so both can be retrieved", async () => {
    const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
    await pay(id);
    const refund = await payments.refund({ refundId: "order-z-refund-1", intentId: id, amountPence: 4500 });
    await vi.waitFor(() => expect(noticesAbout(id)).toHaveLength(3), soon);
    const kinds = noticesAbout(id).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "intent")).toHaveLength(1);
    expect(noticesAbout(id)).toContainEqual(
      expect.objectContaining({ kind: "refund", intentId: id, refundId: refund.id }),
    );
  });

  it("delivers each of many once, at once", async () => {
    const intents = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
        await pay(id);
        return id;
      }),
    );
    await vi.waitFor(() => {
      for (const id of intents) expect(noticesAbout(id)).not.toHaveLength(0);
    }, soon);
    // None is left that could be delivered again.
    await vi.waitFor(async () => {
      const waiting = await stripe.events.list({ delivery_success: false, type: "payment_intent.succeeded" });
      expect(waiting.data).toEqual([]);
    }, soon);
    for (const id of intents) expect(noticesAbout(id)).toHaveLength(1);
  });

  it("keeps trying while the receiver is down, across a restart of the provider too", async () => {
    box.receiver.down = true;
    const { id } = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
    await pay(id);
    box = await box.restart();
    connect();
    await vi.waitFor(() => expect(noticesAbout(id)).toHaveLength(1), soon);
    expect(await payments.retrieveIntent(id)).toMatchObject({ status: "succeeded" });
    expect(await payments.intentsOf(randomUUID())).toEqual([]);
  });

  it("delivers twice and out of order when hostile; each copy is the same event", async () => {
    const control = await fetch(`${box.receiver.url}/sandbox/stripe/behaviour`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ webhooks: "hostile" }),
    });
    expect(await control.json()).toEqual({ webhooks: "hostile", refunds: "ok" });
    // One after the other, each paid at once, so that its two events are close together even on a busy machine.
    const intents: { id: string }[] = [];
    for (let n = 0; n < 20; n++) {
      const intent = await payments.createIntent({ orderId: orderId(), amountPence: 4500, attempt: 1 });
      await pay(intent.id);
      intents.push(intent);
    }
    box.sandbox.behave({ webhooks: "ok" });
    await vi.waitFor(() => expect(box.receiver.delivered).toHaveLength(80), soon);
    const events = box.receiver.delivered.map(({ body }) => body);
    expect(new Set(events).size).toBe(40);
    const paidBeforeMade = intents.filter(({ id }) => {
      const types = events
        .filter((body) => body.includes(id))
        .map((body) => /"type":"([^"]+)"/.exec(body)?.[1]);
      return types.indexOf("payment_intent.succeeded") < types.indexOf("payment_intent.created");
    });
    expect(paidBeforeMade.length).toBeGreaterThan(0);
  });

  it("does not carry the client secret", async () => {
    const { id, clientSecret } = await payments.createIntent({
      orderId: orderId(),
      amountPence: 4500,
      attempt: 1,
    });
    await pay(id);
    await vi.waitFor(() => expect(noticesAbout(id)).toHaveLength(1), soon);
    expect(JSON.stringify(box.receiver.delivered)).not.toContain(clientSecret);
  });
});
