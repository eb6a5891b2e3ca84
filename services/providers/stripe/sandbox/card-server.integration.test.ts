import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type SandboxInTest, sandboxInTest } from "../../../../testing/providers/sandbox-fixture.ts";
import { soon } from "../../../../testing/setup/patience.ts";
import type { Intent, Payments } from "../payments.ts";
import { createStripePayments } from "../stripe-payments.ts";

let box: SandboxInTest;
let payments: Payments;
let card: string;

beforeAll(async () => {
  box = await sandboxInTest();
  payments = createStripePayments({ ...box.addresses.stripe, now: () => new Date() });
  card = box.addresses.cardOrigin;
});
afterAll(() => box.close());

const newIntent = () => payments.createIntent({ orderId: randomUUID(), amountPence: 4500, attempt: 1 });

/** Sends what the card frame sends when Pay is pressed. */
async function confirm(intent: Intent, number: string, more: Record<string, unknown> = {}) {
  const answer = await fetch(`${card}/confirm`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      publishableKey: box.addresses.stripe.publishableKey,
      clientSecret: intent.clientSecret,
      number,
      expiryMonth: 12,
      expiryYear: 2040,
      securityCode: "123",
      returnUrl: `${box.receiver.url}/order-confirmation?orderNumber=1`,
      ...more,
    }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** The types of its events, oldest first. */
async function eventsOf({ id }: Intent): Promise<string[]> {
  const { rows } = await box.pool.query<{ type: string }>(
    "select type from sandbox.events where body -> 'data' -> 'object' ->> 'id' = $1 order by created_at, type",
    [id],
  );
  return rows.map(({ type }) => type);
}

describe("the card frame", () => {
  it("may be framed by the product's pages only, and runs only its own scripts", async () => {
    const answer = await fetch(`${card}/card`);
    const policy = answer.headers.get("content-security-policy") ?? "";
    const twin = box.receiver.url.replace("127.0.0.1", "localhost");
    expect(policy).toContain(`frame-ancestors ${box.receiver.url} ${twin}`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(await answer.text()).toMatch(/Card number[\s\S]*Expiry date[\s\S]*Security code/);
    expect(card).not.toBe(new URL(box.receiver.url).origin);
  });

  it.each(["card-frame.js", "card-fields.js", "card-number.js", "card-appearance.js", "card-frame.css"])(
    "serves %s",
    async (name) => {
      const answer = await fetch(`${card}/${name}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/^text\/(javascript|css)/);
      await answer.arrayBuffer();
    },
  );
});

describe("a card", () => {
  it("that ends in 4242 pays", async () => {
    const intent = await newIntent();
    const { body } = await confirm(intent, "4242424242424242");
    expect(body).toMatchObject({ paymentIntent: { id: intent.id, status: "succeeded", amount: 4500 } });
    expect(await payments.retrieveIntent(intent.id)).toMatchObject({ status: "succeeded" });
  });

  it.each([
    ["0002", "4000000000000002", "card_declined", "generic_decline"],
    ["9995", "4000000000009995", "card_declined", "insufficient_funds"],
    ["0127", "4000000000000127", "incorrect_cvc", null],
    ["any other number", "4111111111111111", "card_declined", "test_mode_live_card"],
  ])("that ends in %s is refused, and another can still pay", async (_end, number, code, declineCode) => {
    const intent = await newIntent();
    const { body } = await confirm(intent, number);
    expect(body.error).toMatchObject({ type: "card_error", code, decline_code: declineCode });
    expect(body.error.payment_intent.status).toBe("requires_payment_method");
    const again = await confirm(intent, "4242424242424242");
    expect(again.body.paymentIntent.status).toBe("succeeded");
  });

  it("past its expiry month is refused as expired", async () => {
    const { body } = await confirm(await newIntent(), "4242424242424242", { expiryYear: 2020 });
    expect(body.error).toMatchObject({ code: "expired_card" });
  });

  it("is not charged with a wrong client secret, a wrong key, or for a cancelled intent", async () => {
    const intent = await newIntent();
    expect(
      (await confirm({ ...intent, clientSecret: `${intent.id}_secret_x` }, "4242424242424242")).status,
    ).toBe(404);
    expect((await confirm(intent, "4242424242424242", { publishableKey: "pk_other" })).status).toBe(401);
    await payments.cancelIntent(intent.id);
    const late = await confirm(intent, "4242424242424242");
    expect(late.body.error).toMatchObject({
      code: "payment_intent_unexpected_state",
      payment_intent: { status: "canceled" },
    });
  });

  it("pays once when Pay is pressed ten times at once, and is announced once", async () => {
    const intent = await newIntent();
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(intent, "4242424242424242")));
    expect(answers.filter(({ body }) => body.paymentIntent?.status === "succeeded")).toHaveLength(1);
    const others = answers.filter(({ status }) => status === 400);
    expect(others).toHaveLength(9);
    for (const { body } of others) {
      const payment_intent = { status: "succeeded" };
      expect(body.error).toMatchObject({ code: "payment_intent_unexpected_state", payment_intent });
    }
    expect(await eventsOf(intent)).toEqual(["payment_intent.created", "payment_intent.succeeded"]);
  });

  it("that is refused beside one that pays never undoes the payment", async () => {
    const intents = await Promise.all(Array.from({ length: 10 }, newIntent));
    await Promise.all(
      intents.flatMap((intent) =>
        ["4242424242424242", "4000000000000002"].map((number) => confirm(intent, number)),
      ),
    );
    for (const intent of intents) {
      expect(await payments.retrieveIntent(intent.id)).toMatchObject({ status: "succeeded" });
      expect((await eventsOf(intent)).at(-1)).toBe("payment_intent.succeeded");
    }
  });

  it("waits for a change of the payment under way, and is decided on what that leaves", async () => {
    const intent = await newIntent();
    const other = await box.pool.connect();
    await other.query("begin");
    await other.query("update sandbox.intents set status = 'canceled' where id = $1", [intent.id]);
    const late = confirm(intent, "4242424242424242");
    await vi.waitFor(async () => {
      const { rows } = await box.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    }, soon);
    await other.query("commit");
    other.release();
    expect((await late).body.error).toMatchObject({ payment_intent: { status: "canceled" } });
    expect(await eventsOf(intent)).toEqual(["payment_intent.created"]);
  });

  it("is charged only together with the event and the webhook that tell of it", async () => {
    for (const table of ["events", "deliveries"]) {
      const intent = await newIntent();
      await box.pool.query(`alter table sandbox.${table} add constraint broken check (false) not valid`);
      const { status } = await confirm(intent, "4242424242424242");
      await box.pool.query(`alter table sandbox.${table} drop constraint broken`);
      expect(status).toBe(400);
      expect(box.faults.splice(0)).toHaveLength(1);
      expect(await payments.retrieveIntent(intent.id)).toMatchObject({ status: "unpaid" });
      expect(await eventsOf(intent)).toEqual(["payment_intent.created"]);
    }
  });

  it("leaves no trace of its number in the database", async () => {
    await confirm(await newIntent(), "4242424242424242");
    const { rows } = await box.pool.query<{ row: string }>(
      `select to_jsonb(i)::text as row from sandbox.intents i union all
       select body::text from sandbox.events union all select body::text from sandbox.answers`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ row }) => row.includes("4242424242424242"))).toEqual([]);
  });
});

describe("3-D Secure", () => {
  const challenged = async () => {
    const intent = await newIntent();
    const { body } = await confirm(intent, "4000002500003155");
    expect(body.paymentIntent.status).toBe("requires_action");
    return { intent, challenge: `${card}${body.challengePath}` };
  };
  const press = (intent: Intent, outcome: "complete" | "fail") =>
    fetch(`${card}/challenge`, {
      method: "POST",
      body: new URLSearchParams({ clientSecret: intent.clientSecret, outcome }),
      redirect: "manual",
    });

  it("asks, and returns to the page with the payment when completed", async () => {
    const { intent, challenge } = await challenged();
    const page = await (await fetch(challenge)).text();
    expect(page).toContain("Complete authentication");
    expect(page).toContain("£45.00");
    const answer = await press(intent, "complete");
    expect(answer.status).toBe(303);
    const back = new URL(answer.headers.get("location") ?? "");
    expect(`${back.origin}${back.pathname}`).toBe(`${box.receiver.url}/order-confirmation`);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      orderNumber: "1",
      payment_intent: intent.id,
      payment_intent_client_secret: intent.clientSecret,
      redirect_status: "succeeded",
    });
    expect(await payments.retrieveIntent(intent.id)).toMatchObject({ status: "succeeded" });
  });

  it("returns with a failure when failed, and the order can still be paid", async () => {
    const { intent } = await challenged();
    const answer = await press(intent, "fail");
    expect(answer.headers.get("location")).toContain("redirect_status=failed");
    expect(await payments.retrieveIntent(intent.id)).toMatchObject({
      status: "unpaid",
      failureCode: "payment_intent_authentication_failure",
    });
    expect((await confirm(intent, "4242424242424242")).body.paymentIntent.status).toBe("succeeded");
  });

  it("can be answered once only", async () => {
    const { intent } = await challenged();
    await press(intent, "fail");
    expect((await press(intent, "complete")).status).toBe(400);
    expect(await payments.retrieveIntent(intent.id)).toMatchObject({ status: "unpaid" });
  });

  it("is decided by one of ten answers at once", async () => {
    const { intent } = await challenged();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => press(intent, n % 2 ? "fail" : "complete")),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await eventsOf(intent)).toHaveLength(3);
  });

  it("never returns to another site", async () => {
    const intent = await newIntent();
    const { status } = await confirm(intent, "4000002500003155", { returnUrl: "https://evil.example/" });
    expect(status).toBe(400);
    expect(await payments.retrieveIntent(intent.id)).toMatchObject({ status: "unpaid" });
  });
});

describe("the page's script", () => {
  it("knows the card frame's origin", async () => {
    const script = await (await fetch(`${box.receiver.url}/sandbox/stripe.js`)).text();
    expect(script).toContain(`const cardOrigin = "${card}"`);
    expect(script).not.toContain("%CARD_ORIGIN%");
  });

  it("reads a payment only with its client secret", async () => {
    const intent = await newIntent();
    const ask = (clientSecret: string) =>
      fetch(`${box.receiver.url}/sandbox/payment-intent`, { headers: { "client-secret": clientSecret } });
    expect(await (await ask(intent.clientSecret)).json()).toMatchObject({
      id: intent.id,
      status: "requires_payment_method",
    });
    expect((await ask(`${intent.id}_secret_guess`)).status).toBe(404);
  });
});
