import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { execute, staffBrowser } from "../../testing/gateway/admin-order-fixture.ts";
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
  return {
    orders,
    checkoutId: String(body.id),
    path,
    intentId: String(intent.clientSecret).replace(/_secret$/, ""),
  };
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

describe("Staff see of a checkout", () => {
  const readAfter = async () => ({ "Read-After": await stack.head() });

  test("on each order's page its orders, what was paid in all, and what went back of each share", async () => {
    const { orders, checkoutId, path, intentId } = await asked(browser, 3);
    const [first, second, third] = orders;
    if (!first || !second || !third) throw new Error("There are three orders.");
    await browser.post(`/api/orders/${third.id}/cancel`, { reason: "customerRequest" });
    const { body } = await browser.post(`${path}/payment-intent`, { amount: 90 });
    const again = String(body.clientSecret).replace(/_secret$/, "");
    expect(again).not.toBe(intentId);
    stack.payments.change(again, { status: "succeeded" });
    await browser.post(`${path}/status`, { status: "Processing" });
    const back = { refundId: null, providerRefundId: "re_1", intentId: again, amountPence: 2000 };
    await execute(stack, second.id, { type: "RecordRefund", data: back });
    const line = ({ id, orderNumber }: Ordered) => ({
      ...{ id, orderNumber, certificateType: "Birth", serviceLevel: "standard", copies: 1 },
    });
    const paid = { status: "Processing", phase: "Paid", paidPence: 4500 };
    for (const role of ["staff", "compliance"] as const) {
      const staff = await staffBrowser(stack, role);
      for (const { orderNumber } of orders) {
        const page = await staff.get(`/api/admin/orders/${orderNumber}`, await readAfter());
        expect(page.body.orderedTogether).toEqual({
          ...{ checkoutId, paidPence: 9000, wentBackPence: 2000 },
          orders: [
            { ...line(first), ...paid, wentBackPence: 0 },
            { ...line(second), ...paid, wentBackPence: 2000 },
            { ...line(third), status: "Cancelled", phase: "Cancelled", paidPence: 0, wentBackPence: 0 },
          ],
        });
        expect(JSON.stringify(page.body.orderedTogether)).not.toMatch(/Rhys|post\.example/);
      }
    }
  });

  test("nothing on the page of an order that stands alone", async () => {
    const [alone] = await ordersOf(browser, 1);
    const staff = await staffBrowser(stack);
    const { body } = await staff.get(`/api/admin/orders/${alone?.orderNumber}`, await readAfter());
    expect(body.orderedTogether).toBeNull();
  });

  test("its orders in a list of their own, and its id in the list and in the exported file", async () => {
    const { orders, checkoutId } = await asked(browser, 2);
    await asked(browser, 2);
    await ordersOf(browser, 1);
    const staff = await staffBrowser(stack);
    const query = `checkout=${checkoutId}&direction=ascending`;
    const list = await staff.get(`/api/admin/orders?${query}`, await readAfter());
    expect(list.body.orders).toMatchObject(orders.map(({ id }) => ({ id, checkoutId })));
    const narrower = await staff.get(`/api/admin/orders?${query}&status=Cancelled`);
    expect(narrower.body.orders).toEqual([]);
    const headers = { Authorization: `Bearer ${await stack.token("staff")}` };
    const file = await fetch(`${stack.url}/api/admin/orders.csv?${query}`, { headers });
    const lines = (await file.text()).trimEnd().split("\r\n").slice(1);
    expect(lines.map((line) => [line.split(",")[0], line.split(",").at(-1)])).toEqual(
      orders.map(({ orderNumber }) => [orderNumber, checkoutId]),
    );
    expect((await staff.get("/api/admin/orders?checkout=none")).status).toBe(422);
  });
});
