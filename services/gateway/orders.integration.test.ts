import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createdOrder, startTestStack, type TestStack } from "./stack-fixture.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

describe("POST /api/orders", () => {
  test("opens an order and makes the browser its holder", async () => {
    const browser = stack.browser();
    const order = await createdOrder(browser);
    expect(order.orderNumber).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{5}$/);
    const read = await browser.get(`/api/orders/${order.id}`, { "Read-After": order.position });
    expect(read.status).toBe(200);
    expect(read.body).toMatchObject({ id: order.id, orderNumber: order.orderNumber, status: "Pending" });
  });
});
