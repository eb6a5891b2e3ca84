import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type Ordered,
  pricedOrder,
  startTestStack,
  type TestStack,
} from "../../testing/gateway/stack-fixture.ts";
import type { TestBrowser } from "../../testing/gateway/test-browser.ts";

let stack: TestStack;
let browser: TestBrowser;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());
beforeEach(() => {
  browser = stack.browser();
});

const idsOf = (orders: readonly Ordered[]) => orders.map(({ id }) => id);

async function ordersOf(holder: TestBrowser, many = 2): Promise<Ordered[]> {
  const orders: Ordered[] = [];
  for (let n = 0; n < many; n += 1) orders.push(await pricedOrder(holder));
  return orders;
}

/** A checkout of some priced orders, and the intent that pays for them. */
async function asked(holder: TestBrowser, many = 2) {
  const orders = await ordersOf(holder, many);
  const { body } = await holder.post("/api/checkouts", { orderIds: idsOf(orders) });
  const path = `/api/checkouts/${body.id}`;
  const { body: intent } = await holder.post(`${path}/payment-intent`, { amount: many * 45 });
  return { orders, path, intentId: String(intent.clientSecret).replace(/_secret$/, "") };
}

describe("POST /api/checkouts", () => {
  test("answers with the orders and their sum, once under a key", async () => {
    const orders = await ordersOf(browser, 3);
    const key = randomUUID();
    const open = () =>
      browser.post("/api/checkouts", { orderIds: idsOf(orders) }, { "Idempotency-Key": key });
    const [first, again] = [await open(), await open()];
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: expect.any(String),
      totalAmount: 135,
      orders: orders.map(({ id, orderNumber }) => ({ id, orderNumber, totalAmount: 45 })),
    });
    expect(again.body).toEqual(first.body);
  });

  test("of one order, of eleven, or of one twice is refused", async () => {
    const [one = ""] = idsOf(await ordersOf(browser, 1));
    const ask = (...orderIds: string[]) => browser.post("/api/checkouts", { orderIds });
    expect(await ask(one)).toMatchObject({ status: 422, body: { code: "invalid-fields" } });
    expect((await ask(...Array.from({ length: 11 }, () => randomUUID()))).status).toBe(422);
    expect(await ask(one, one)).toMatchObject({ status: 409, body: { rule: "order-twice" } });
  });

  test("does not exist for a caller who holds only some of its orders", async () => {
    const { orders, path } = await asked(browser);
    const stranger = stack.browser();
    const [own] = await ordersOf(stranger, 1);
    const mixed = [own?.id, orders[0]?.id];
    expect((await stranger.post("/api/checkouts", { orderIds: mixed })).status).toBe(404);
    expect((await stranger.post(`${path}/payment-intent`, { amount: 90 })).status).toBe(404);
    expect((await stranger.post(`${path}/status`, { status: "Processing" })).status).toBe(404);
  });
});

describe("A checkout", () => {
  test("is paid for once, and each order goes on by itself", async () => {
    const { orders, path, intentId } = await asked(browser);
    const early = await browser.post(`${path}/status`, { status: "Processing" });
    expect(early).toMatchObject({ status: 409, body: { code: "payment-not-received" } });
    stack.payments.change(intentId, { status: "succeeded" });
    const paid = await browser.post(`${path}/status`, { status: "Processing" });
    expect(paid).toMatchObject({
      status: 200,
      body: { orders: orders.map(({ id }) => ({ id, status: "Processing" })) },
    });
    for (const { id } of orders) {
      expect((await browser.post(`/api/orders/${id}/submit`)).status).toBe(200);
      const types = (await stack.events(id)).map(({ type }) => type);
      expect(types.filter((type) => type === "PaymentConfirmed")).toHaveLength(1);
    }
    const again = await browser.post(`${path}/payment-intent`, { amount: 90 });
    expect(again).toMatchObject({ status: 409, body: { rule: "already-paid" } });
  });

  test("asks for what is left once an order is cancelled, and says how much that is", async () => {
    const { orders, path, intentId } = await asked(browser, 3);
    await browser.post(`/api/orders/${orders[0]?.id}/cancel`, { reason: "customerRequest" });
    expect(stack.payments.intents.get(intentId)?.status).toBe("cancelled");
    const before = await browser.post(`${path}/payment-intent`, { amount: 135 });
    expect(before).toMatchObject({ status: 409, body: { code: "wrong-amount", totalAmount: 90 } });
    expect((await browser.post(`${path}/payment-intent`, { amount: 90 })).status).toBe(200);
  });

  test("is known to the holder of an order of it, by the others' numbers, and to nobody else", async () => {
    const { orders } = await asked(browser, 3);
    const [first, second, third] = orders.map(({ orderNumber }) => ({ orderNumber }));
    const lookUp = (by: TestBrowser) => by.post("/api/orders/lookup", second);
    await expect.poll(async () => (await lookUp(browser)).body.orderedTogether).toEqual([first, third]);
    const contact = await browser.get(`/api/orders/lookup/${second?.orderNumber}`);
    expect(contact.body.orderedTogether).toEqual([first, third]);
    expect((await lookUp(stack.browser())).body.orderedTogether).toEqual([]);
  });
});
