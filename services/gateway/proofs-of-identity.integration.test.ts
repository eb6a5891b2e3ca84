import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { staffBrowser } from "../../testing/gateway/admin-order-fixture.ts";
import {
  type Ordered,
  pricedOrder,
  startTestStack,
  type TestStack,
} from "../../testing/gateway/stack-fixture.ts";
import type { TestBrowser } from "../../testing/gateway/test-browser.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

describe("What a browser says about who it is", () => {
  test.each([
    ["a user-id header", { "X-Clerk-User-Id": "user_manager" }],
    ["a bearer of the provider's name and a user id", { Authorization: "Bearer clerk-user_manager" }],
    ["a development token", { Authorization: "Bearer dvb_123", Cookie: "__clerk_db_jwt=dvb_123" }],
    ["a debug header", { "X-Debug-Info": "stored-user-id" }],
  ])("in %s grants nothing and hinders nothing", async (_, hints) => {
    const holder = stack.browser();
    const order = await pricedOrder(holder);
    const anonymous = stack.browser();
    expect((await anonymous.get("/api/config", hints)).status).toBe(200);
    expect((await anonymous.get("/api/admin/orders", hints)).status).toBe(401);
    expect((await anonymous.post(`/api/orders/${order.id}/submit`, {}, hints)).status).toBe(404);
    const read = await holder.get(`/api/orders/${order.id}`, {
      Authorization: "Bearer clerk-user_1",
      "Read-After": order.position,
    });
    expect(read.status).toBe(200);
  });

  test("is logged as a kind of hint, never by its value", async () => {
    await stack.browser().get("/api/config", { "X-Clerk-User-Id": "user_sentinel" });
    await expect.poll(() => stack.logLines.join("")).toContain('"hint":"user-id-header"');
    expect(stack.logLines.join("")).not.toContain("user_sentinel");
  });

  test("about itself in an actor is opaque: customers are their order, staff their user id", async () => {
    const browser = stack.browser();
    const order = await pricedOrder(browser);
    const headers = { Authorization: `Bearer ${await stack.token("staff")}` };
    await stack.browser().post(`/api/orders/${order.id}/cancel`, {}, headers);
    const events = await stack.events(order.id);
    expect(events[0]?.metadata.actor).toEqual({ kind: "customer", id: order.id });
    expect(events.at(-1)).toMatchObject({
      type: "OrderCancelled",
      data: { reason: "staffRequest", by: "staff" },
    });
    expect(events.at(-1)?.metadata.actor).toEqual({ kind: "staff", id: expect.stringMatching(/^user_/) });
  });
});

describe("The lookup", () => {
  const byNumber = (browser: TestBrowser, { orderNumber, position }: Ordered) =>
    browser.get(`/api/orders/lookup/${orderNumber}`, { "Read-After": position });

  test("by number masks name and email, except to the holder", async () => {
    const holder = stack.browser();
    const order = await pricedOrder(holder);
    const masked = await byNumber(stack.browser(), order);
    expect(masked.body).toEqual({
      orderNumber: order.orderNumber,
      status: "Pending",
      createdAt: expect.any(String),
      totalAmount: 45,
      promise: null,
      contactFullName: "M••• S••• R•••",
      email: "s•••@p•••.example",
      recipientName: null,
      customerReference: null,
      orderedTogether: [],
      holder: false,
    });
    expect((await byNumber(holder, order)).body).toMatchObject({
      contactFullName: "Mrs Siân Rhys",
      email: "sian.rhys@post.example",
      holder: true,
    });
  });

  test("by number masks them from staff too: looking is an event, and that comes with its own route", async () => {
    const order = await pricedOrder(stack.browser());
    const reply = await stack.browser().get(`/api/orders/lookup/${order.orderNumber}`, {
      Authorization: `Bearer ${await stack.token("manager")}`,
      "Read-After": order.position,
    });
    expect(reply.body.email).toBe("s•••@p•••.example");
  });

  test("shows no name or email once they are purged", async () => {
    const holder = stack.browser();
    const order = await pricedOrder(holder);
    const contact = await stack.vault.recordsOf(order.id, "contact");
    await stack.vault.destroy(contact.map(({ recordId }) => recordId));
    expect((await byNumber(holder, order)).body).toMatchObject({ contactFullName: null, email: null });
  });

  test("takes the number however it is typed", async () => {
    const order = await pricedOrder(stack.browser());
    const typed = ` ${order.orderNumber.toLowerCase().replaceAll("-", " ")} `;
    const reply = await stack
      .browser()
      .post("/api/orders/lookup", { orderNumber: typed }, { "Read-After": order.position });
    expect(reply.body.orderNumber).toBe(order.orderNumber);
  });

  test("shows the tracking page's fields, and the order's id to its holder alone", async () => {
    const holder = stack.browser();
    const order = await pricedOrder(holder);
    const ask = (browser: TestBrowser) =>
      browser.post(
        "/api/orders/lookup",
        { orderNumber: order.orderNumber },
        { "Read-After": order.position },
      );
    expect((await ask(stack.browser())).body).toEqual({
      id: null,
      orderNumber: order.orderNumber,
      status: "Pending",
      createdAt: expect.any(String),
      total: 45,
      items: ["Birth Certificate × 1"],
      statusHistory: [{ status: "Pending", text: "We received your order", timestamp: expect.any(String) }],
      lastUpdated: expect.any(String),
      promise: null,
      receipt: null,
      holder: false,
      canCancel: false,
      certificateType: "Birth",
      canAmend: false,
      cancellationRequested: false,
      contactChange: null,
      despatch: null,
      canReportArrival: false,
      question: false,
      questionText: null,
      unreachedBy: null,
      recipientName: null,
      customerReference: null,
      orderedTogether: [],
    });
    expect((await ask(holder)).body).toMatchObject({ id: order.id, holder: true, canCancel: true });
  });

  test.each([
    [{}, 422, "Order number is required"],
    [{ orderNumber: "" }, 422, "Order number is required"],
    [{ orderNumber: "0000-0000-00001" }, 404, undefined],
    [{ orderNumber: "ORD-1" }, 404, undefined],
  ])("of %j is answered %i", async (body, status, message) => {
    const reply = await stack.browser().post("/api/orders/lookup", body);
    expect(reply.status).toBe(status);
    expect(reply.body.errors?.orderNumber).toBe(message);
  });
});

describe("A link in a mail", () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000);
  const partsOf = (link: string) => {
    const { searchParams, hash } = new URL(link);
    return { orderNumber: searchParams.get("order"), key: hash.replace("#key=", "") };
  };

  const linked = ({ id, orderNumber }: Ordered, emailChanges = 0) => ({
    orderId: id,
    orderNumber,
    emailChanges,
  });
  const enter = (link: string, readAfter: string, browser = stack.browser()) =>
    browser.post("/api/orders/access", partsOf(link), { "Read-After": readAfter });

  test("makes its opener the holder", async () => {
    const order = await pricedOrder(stack.browser());
    const reader = stack.browser();
    const link = stack.access.trackingLink(linked(order), inAnHour());
    const entered = await enter(link, order.position, reader);
    expect(entered.body).toMatchObject({ id: order.id });
    expect((await reader.get(`/api/orders/${order.id}`)).status).toBe(200);
  });

  test("ends", async () => {
    const order = await pricedOrder(stack.browser());
    const link = stack.access.trackingLink(linked(order), new Date(Date.now() - 2000));
    const reply = await enter(link, order.position);
    expect(reply.status).toBe(410);
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  test("to an address that was corrected ends, and with it what it had opened", async () => {
    const [customer, stranger] = [stack.browser(), stack.browser()];
    const order = await pricedOrder(customer);
    const link = stack.access.trackingLink(linked(order), inAnHour());
    await enter(link, order.position, stranger);
    expect((await stranger.get(`/api/orders/${order.id}/contact`)).status).toBe(200);

    const corrected = await customer.post(`/api/orders/${order.id}/contact`, { email: "sian@post.example" });
    expect(corrected.status).toBe(200);

    expect((await enter(link, order.position)).status).toBe(410);
    expect((await stranger.get(`/api/orders/${order.id}/contact`)).status).toBe(404);
    expect((await stranger.post(`/api/orders/${order.id}/cancel`, {})).status).toBe(404);
    expect((await customer.get(`/api/orders/${order.id}/contact`)).body.email).toBe("sian@post.example");
    const newLink = stack.access.trackingLink(linked(order, 1), inAnHour());
    expect((await enter(newLink, order.position)).status).toBe(200);
  });

  test("lets its reader correct the address, and stay; another correction than the address's ends nothing", async () => {
    const order = await pricedOrder(stack.browser());
    const link = stack.access.trackingLink(linked(order), inAnHour());
    const [reader, other] = [stack.browser(), stack.browser()];
    for (const browser of [reader, other]) await enter(link, order.position, browser);
    const contact = `/api/orders/${order.id}/contact`;
    await reader.post(contact, { customerReference: "Case 7" });
    expect((await other.get(contact)).status).toBe(200);
    await reader.post(contact, { email: "sian@post.example" });
    expect((await reader.get(contact)).status).toBe(200);
    expect((await other.get(contact)).status).toBe(404);
  });

  test("gives its reader no new cookie for a correction that another made meanwhile", async () => {
    const order = await pricedOrder(stack.browser());
    const reader = stack.browser();
    await enter(stack.access.trackingLink(linked(order), inAnHour()), order.position, reader);
    const contact = `/api/orders/${order.id}/contact`;
    const staff = await staffBrowser(stack);
    const { orders } = stack.deps;
    const execute = orders.execute.bind(orders);
    const executed = vi.spyOn(orders, "execute").mockImplementationOnce(async (command) => {
      await staff.post(contact, { email: "sian@post.example" });
      return execute(command);
    });
    const reply = await reader.post(contact, { customerReference: "Case 7" });
    executed.mockRestore();
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([200, []]);
    expect((await reader.get(contact)).status).toBe(404);
  });

  test("leaves the browser that ordered its holder, whatever is corrected", async () => {
    const customer = stack.browser();
    const order = await pricedOrder(customer);
    await enter(stack.access.trackingLink(linked(order), inAnHour()), order.position, customer);
    const staff = await staffBrowser(stack);
    const contact = `/api/orders/${order.id}/contact`;
    expect((await staff.post(contact, { email: "sian@post.example" })).status).toBe(200);
    expect((await customer.get(contact)).status).toBe(200);
  });

  test("of one order opens no other", async () => {
    const [mine, other] = [await pricedOrder(stack.browser()), await pricedOrder(stack.browser())];
    const { key } = partsOf(stack.access.trackingLink(linked(mine), inAnHour()));
    const headers = { "Read-After": other.position };
    const reply = await stack
      .browser()
      .post("/api/orders/access", { orderNumber: other.orderNumber, key }, headers);
    expect(reply.status).toBe(404);
  });
});

describe("GET /api/admin/orders", () => {
  const list = async (query: string) =>
    stack
      .browser()
      .get(`/api/admin/orders${query}`, { Authorization: `Bearer ${await stack.token("manager")}` });

  test("lists orders newest first, page by page, without personal data", async () => {
    const orders = [await pricedOrder(stack.browser()), await pricedOrder(stack.browser())];
    const position = orders.at(-1)?.position ?? "";
    const headers = { Authorization: `Bearer ${await stack.token("manager")}`, "Read-After": position };
    const first = await stack.browser().get("/api/admin/orders?limit=1&status=Pending", headers);
    expect(first.body.orders).toMatchObject([
      { id: orders[1]?.id, totalPence: 4500, certificateType: "Birth" },
    ]);
    const second = await list(`?limit=1&status=Pending&after=${encodeURIComponent(first.body.next)}`);
    expect(second.body.orders).toMatchObject([{ id: orders[0]?.id }]);
    expect(JSON.stringify(first.body)).not.toContain("Rhys");
  });

  test.each(["?status=Lost", "?limit=0", "?limit=many", "?after=nowhere"])("refuses %s", async (query) => {
    expect((await list(query)).status).toBe(422);
  });
});
