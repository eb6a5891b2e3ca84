import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { patienceMs } from "../../../testing/setup/patience.ts";
import { listen } from "../sandbox/http-server.ts";
import { PaymentsUnavailable } from "./payments.ts";
import { stripeApiVersion } from "./stripe-answers.ts";
import { createStripePayments } from "./stripe-payments.ts";

/** Errors of Stripe or of the network between it and us. */

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const intent = {
  object: "payment_intent",
  id: "pi_1",
  status: "requires_payment_method",
  amount: 4500,
  amount_received: 0,
  currency: "gbp",
  client_secret: "pi_1_secret_abc",
  metadata: { orderId: "o", attempt: "1" },
};

let asked: IncomingMessage[];
let answers: Answer[];
let closing: AsyncDisposableStack;
let port: number;
let payments: ReturnType<typeof createStripePayments>;

beforeEach(async () => {
  asked = [];
  answers = [];
  closing = new AsyncDisposableStack();
  const server = await listen(
    (request, response) => {
      asked.push(request);
      // The last answer repeats.
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      request.resume().on("end", () => answer?.(response, request));
    },
    "127.0.0.1",
    0,
  );
  closing.defer(() => server.close());
  port = server.port;
  payments = connect(patienceMs);
});
afterEach(() => closing.disposeAsync());

const connect = (timeoutMs: number) =>
  createStripePayments({
    secretKey: "sk_test_opensesame",
    webhookSecret: "whsec_test",
    now: () => new Date(),
    host: "127.0.0.1",
    port,
    protocol: "http",
    timeoutMs,
  });
/** Waits the whole time for an answer that does not come, and not for others. */
const connectFor = (fault: Answer) => connect(fault === silence ? 500 : patienceMs);

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
const refusal = (status: number, error: object) => json(status, { error });
const silence: Answer = () => undefined;
const cut: Answer = (_response, request) => request.socket.destroy();
const page: Answer = (response) => response.writeHead(502).end("<html>Bad gateway</html>");
const create = () => payments.createIntent({ orderId: "o", amountPence: 4500, attempt: 1 });
const refund = () => payments.refund({ refundId: "order-o-refund-1", intentId: "pi_1", amountPence: 4500 });
const noRefunds = json(200, { object: "list", data: [], has_more: false, url: "/v1/refunds" });

describe("each request", () => {
  it("carries the API version and the key", async () => {
    answers = [json(200, intent)];
    expect(await create()).toMatchObject({ id: "pi_1", status: "unpaid" });
    expect(asked[0]?.headers).toMatchObject({
      "stripe-version": stripeApiVersion,
      "idempotency-key": "order-o-intent-1",
      authorization: "Bearer sk_test_opensesame",
    });
  });
});

describe("a transient error is retried", () => {
  it.each([
    ["a time-out", silence],
    ["a broken connection", cut],
    ["a server error", refusal(500, { type: "api_error" })],
    ["a proxy's page", page],
    [
      "a request that still runs under the same key",
      refusal(409, { type: "idempotency_error", code: "idempotency_key_in_use" }),
    ],
  ])("after %s, under the same key", async (_what, fault) => {
    answers = [fault, json(200, intent)];
    payments = connectFor(fault);
    expect(await create()).toMatchObject({ id: "pi_1" });
    expect(asked.map(({ headers }) => headers["idempotency-key"])).toEqual([
      "order-o-intent-1",
      "order-o-intent-1",
    ]);
  });

  it.each([
    ["a time-out", silence],
    ["a broken connection", cut],
    ["a server error", refusal(503, { type: "api_error" })],
  ])(
    "but a permanent one (%s) is given up after three tries, with an unknown outcome",
    async (_what, fault) => {
      answers = [fault];
      payments = connectFor(fault);
      await expect(create()).rejects.toBeInstanceOf(PaymentsUnavailable);
      expect(asked).toHaveLength(3);
    },
  );

  it("but not a rate limit: the caller returns later", async () => {
    answers = [refusal(429, { type: "invalid_request_error", code: "rate_limit" })];
    await expect(create()).rejects.toBeInstanceOf(PaymentsUnavailable);
    expect(asked).toHaveLength(1);
  });
});

describe("a refusal", () => {
  it.each([
    ["another body under the same key", 400, { type: "idempotency_error" }, "otherBodyUnderSameKey"],
    ["a wrong key", 401, { type: "invalid_request_error" }, "unauthorized"],
    ["a restricted key without permission", 403, { type: "invalid_request_error" }, "unauthorized"],
    ["a missing object", 404, { type: "invalid_request_error", code: "resource_missing" }, "notFound"],
    [
      "a charge already refunded",
      400,
      { type: "invalid_request_error", code: "charge_already_refunded" },
      "nothingLeftToRefund",
    ],
    ["a disputed charge", 400, { type: "invalid_request_error", code: "charge_disputed" }, "invalid"],
  ])("of %s has its code, and is not retried", async (_what, status, error, code) => {
    answers = [noRefunds, refusal(status, error)];
    await expect(refund()).rejects.toMatchObject({ name: "PaymentsRefused", code });
    expect(asked).toHaveLength(2);
  });

  it("of a state that changed in the meantime returns the state", async () => {
    const unexpected = { type: "invalid_request_error", code: "payment_intent_unexpected_state" };
    answers = [refusal(400, unexpected), json(200, { ...intent, status: "processing" })];
    expect(await payments.cancelIntent("pi_1")).toMatchObject({ status: "processing" });
    answers = [refusal(404, { type: "invalid_request_error", code: "resource_missing" })];
    await expect(payments.cancelIntent("pi_1")).rejects.toMatchObject({ code: "notFound" });
  });
});

describe("an unreadable answer", () => {
  it.each([
    ["a card error without a card", refusal(402, { type: "card_error", code: "card_declined" })],
    ["an error of an unknown shape", json(418, { oops: true })],
    ["an empty error", json(400, {})],
    ["no JSON", (response: ServerResponse) => void response.writeHead(200).end("<html>")],
    ["an answer about another object", json(200, { object: "customer", id: "cus_1" })],
    ["an intent with an unknown status", json(200, { ...intent, status: "dreaming" })],
    ["an intent without an amount", json(200, { ...intent, amount: undefined })],
  ])("is rejected: %s", async (_what, answer) => {
    answers = [answer];
    const said = await payments.retrieveIntent("pi_1").catch((error: unknown) => error);
    expect(String(said)).not.toContain("opensesame");
    expect(["PaymentsUnavailable", "PaymentsRefused"]).toContain(said instanceof Error ? said.name : "");
  });
});

it("an intent is read again if Stripe replays its first answer", async () => {
  answers = [
    json(200, intent, { "idempotent-replayed": "true" }),
    json(200, { ...intent, status: "succeeded", amount_received: 4500 }),
  ];
  expect(await create()).toMatchObject({ status: "succeeded", amountPence: 4500 });
});
