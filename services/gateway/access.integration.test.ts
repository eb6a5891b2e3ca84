import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "../identity/roles.ts";
import { openTicket } from "../tickets/open-ticket.ts";
import { ticketRequest } from "../tickets/ticket-desk-fixture.ts";
import { orderActs, orderDecisions } from "./order-bodies-fixture.ts";
import { nobodysTicket, orderBody, ticketBody, variantBody } from "./request-bodies-fixture.ts";
import { settingsRows } from "./settings-bodies-fixture.ts";
import { createdOrder, type Ordered, pricedOrder, startTestStack, type TestStack } from "./stack-fixture.ts";
import type { Reply, TestBrowser } from "./test-browser.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const callers = ["anonymous", "other", "holder", "customer", "staff", "manager", "compliance"] as const;
type CallerName = (typeof callers)[number];
const roles: Partial<Record<CallerName, Role>> = {
  staff: "staff",
  manager: "manager",
  compliance: "compliance",
};

const everybody = (status: number): Record<CallerName, number> => ({
  anonymous: status,
  other: status,
  holder: status,
  customer: status,
  staff: status,
  manager: status,
  compliance: status,
});
/** Holders and staff are let in; to everybody else the order does not exist. */
const holders = (status: number) => ({ ...everybody(404), holder: status, staff: status, manager: status });

/** People with one of the roles staff and manager are let in. */
const workers = (status: number) => ({
  ...everybody(403),
  anonymous: 401,
  other: 401,
  holder: 401,
  staff: status,
  manager: status,
});

/** Settings are the manager's alone. */
const managers = (status: number) => ({
  ...everybody(403),
  anonymous: 401,
  other: 401,
  holder: 401,
  manager: status,
});

/** Who reads what was destroyed and who looked. */
const auditors = (status: number) => ({ ...managers(status), compliance: status });

const everyRole = (status: number) => ({ ...workers(status), compliance: status });

/** Each route of the table and what each caller is answered about a priced order. A route without a row fails. */
const expectations: Record<
  string,
  { body?: (order: Ordered) => unknown; answers: Record<CallerName, number> }
> = {
  "GET /api/config": { answers: everybody(200) },
  "GET /api/pricing/services/{service}": { answers: everybody(200) },
  "POST /api/orders": { body: () => orderBody(), answers: everybody(201) },
  "POST /api/orders/{id}/variants": { body: () => variantBody(), answers: holders(201) },
  "POST /api/create-payment-intent": {
    body: ({ id }) => ({ amount: 45, orderId: id }),
    answers: holders(200),
  },
  "POST /api/orders/{id}/status": { body: () => ({ status: "Processing" }), answers: holders(409) },
  "POST /api/orders/{id}/submit": { answers: holders(409) },
  "POST /api/orders/{id}/cancel": { answers: holders(200) },
  "POST /api/orders/{id}/application": { body: () => variantBody(), answers: holders(409) },
  "POST /api/orders/{id}/contact": {
    body: () => ({ email: "sian@post.example" }),
    answers: holders(200),
  },
  // Staff look at personal data with a reason, by another door.
  "GET /api/orders/{id}/application": { answers: { ...everybody(404), holder: 409 } },
  "GET /api/orders/{id}/contact": { answers: { ...everybody(404), holder: 200 } },
  "GET /api/orders/{id}": { answers: holders(200) },
  "GET /api/orders/lookup/{orderNumber}/updates": { answers: everybody(200) },
  "GET /api/orders/lookup/{orderNumber}": { answers: everybody(200) },
  "POST /api/orders/lookup": { body: ({ orderNumber }) => ({ orderNumber }), answers: everybody(200) },
  "POST /api/orders/access": {
    body: ({ orderNumber }) => ({ orderNumber, key: "wrong" }),
    answers: everybody(404),
  },
  "POST /api/tickets": { body: () => ticketBody(), answers: everybody(201) },
  // Nobody's role opens a conversation here: only its link, or its number with its customer's address.
  "POST /api/tickets/view": { body: () => nobodysTicket, answers: everybody(404) },
  "POST /api/tickets/replies": {
    body: () => ({ ...nobodysTicket, message: "Hello?" }),
    answers: everybody(404),
  },
  "POST /api/tickets/link": { body: () => nobodysTicket, answers: everybody(404) },
  "GET /api/me": { answers: { ...everybody(200), anonymous: 401, other: 401, holder: 401 } },
  "POST /api/me/sign-out": { answers: { ...everybody(204), anonymous: 401, other: 401, holder: 401 } },
  "POST /api/me/sign-out-everywhere": {
    answers: { ...everybody(204), anonymous: 401, other: 401, holder: 401 },
  },
  "GET /api/admin/updates": {
    answers: { ...everybody(200), anonymous: 401, other: 401, holder: 401, customer: 403 },
  },
  "GET /api/admin/dashboard": {
    answers: { ...everybody(403), anonymous: 401, other: 401, holder: 401, staff: 200, manager: 200 },
  },
  "POST /api/admin/orders/search": {
    body: ({ orderNumber }) => ({ by: "number", text: orderNumber }),
    answers: { ...everybody(403), anonymous: 401, other: 401, holder: 401, staff: 200, manager: 200 },
  },
  "GET /api/admin/orders.csv": {
    answers: { ...everybody(403), anonymous: 401, other: 401, holder: 401, staff: 200, manager: 200 },
  },
  // Without a key nothing is done to anybody: 400.
  "POST /api/admin/orders/bulk": {
    body: ({ id }) => ({ action: "requestSubmission", orders: [id], reason: "other" }),
    answers: { ...everybody(403), anonymous: 401, other: 401, holder: 401, staff: 400, manager: 400 },
  },
  "GET /api/admin/orders": {
    answers: { ...everybody(200), customer: 403, anonymous: 401, other: 401, holder: 401 },
  },
  "GET /api/admin/tickets": { answers: workers(200) },
  "POST /api/admin/tickets/{ticketNumber}/open": { answers: workers(200) },
  "POST /api/admin/tickets/{ticketNumber}/reply": {
    body: () => ({ message: "Yes.", next: "Waiting", expectedRevision: 0 }),
    answers: workers(201),
  },
  "POST /api/admin/tickets/{ticketNumber}/note": {
    body: () => ({ note: "Kind.", expectedRevision: 0 }),
    answers: workers(201),
  },
  "POST /api/admin/tickets/{ticketNumber}/assign": {
    body: () => ({ assignee: null, expectedRevision: 0 }),
    answers: workers(200),
  },
  "POST /api/admin/tickets/{ticketNumber}/status": {
    body: () => ({ status: "Closed", expectedRevision: 0 }),
    answers: workers(200),
  },
  "POST /api/admin/tickets/{ticketNumber}/link": {
    body: ({ orderNumber }) => ({ orderNumber, expectedRevision: 0 }),
    answers: workers(200),
  },
  "POST /api/admin/tickets/{ticketNumber}/replace-link": {
    body: () => ({ expectedRevision: 0 }),
    answers: workers(200),
  },
  // A question has no day to be acknowledged by.
  "POST /api/admin/tickets/{ticketNumber}/acknowledge": {
    body: () => ({ channel: "post", expectedRevision: 0 }),
    answers: workers(409),
  },
  "POST /api/admin/customers/search": {
    body: () => ({ by: "email", typed: "nobody@mail.example" }),
    answers: workers(200),
  },
  "GET /api/admin/customers/{id}": { answers: workers(200) },
  "POST /api/admin/customers/{id}/reveal": { body: () => ({ reason: "ticket" }), answers: workers(200) },
  "POST /api/admin/customers/{id}/export": { body: () => ({ format: "json" }), answers: workers(200) },
  "POST /api/admin/customers/{id}/erase": {
    body: () => ({ reason: "customerAsked" }),
    answers: workers(200),
  },
  "GET /api/admin/settings": { answers: managers(200) },
  "GET /api/admin/settings/history": { answers: managers(200) },
  "GET /api/admin/settings/canned-answers": { answers: workers(200) },
  // Who has looked at a revision that is not there changes nothing.
  ...settingsRows(managers(409)),
  "GET /api/admin/compliance/purges": { answers: auditors(200) },
  "GET /api/admin/compliance/due": { answers: auditors(200) },
  "GET /api/admin/compliance/access": { answers: auditors(200) },
  "GET /api/admin/compliance/audit": { answers: auditors(200) },
  "POST /api/admin/compliance/audit": { answers: auditors(202) },
  "GET /api/admin/compliance/retention": { answers: auditors(200) },
  "GET /api/admin/compliance/processing": { answers: auditors(200) },
  "GET /api/admin/compliance/export": { answers: auditors(422) },
  "GET /api/admin/orders/{orderNumber}": { answers: everyRole(200) },
  "GET /api/admin/orders/{orderNumber}/timeline": { answers: everyRole(200) },
  ...rowsFor(orderActs, workers),
  ...rowsFor(orderDecisions, managers),
  "POST /api/webhooks/stripe": { body: () => ({}), answers: everybody(400) },
  "POST /api/webhooks/gro": { body: () => ({}), answers: everybody(400) },
};

const aTicket = async (): Promise<string> =>
  (await stack.browser().post("/api/tickets", ticketBody())).body.ticketNumber;

/** Somebody who wrote to us, and can be found. */
async function aCustomer(): Promise<string> {
  const email = `${randomUUID()}@mail.example`;
  const { ticket } = await openTicket(stack.desk, ticketRequest({ email }), null, undefined, "a-request");
  await stack.makeFindable(ticket.ticketId);
  const headers = { Authorization: `Bearer ${await stack.token("staff")}` };
  const body = { by: "email", typed: email };
  return (await stack.browser().post("/api/admin/customers/search", body, headers)).body.customers[0].id;
}

function rowsFor(
  acts: Readonly<Record<string, { body: () => unknown; status: number }>>,
  who: (status: number) => Record<CallerName, number>,
) {
  const row = ({ body, status }: { body: () => unknown; status: number }) => ({ body, answers: who(status) });
  return Object.fromEntries(Object.entries(acts).map(([route, act]) => [route, row(act)]));
}

async function callAs(
  caller: CallerName,
  route: string,
  order: Ordered,
  holder: TestBrowser,
): Promise<Reply> {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern
    .replace("{id}", pattern.includes("/customers/{id}") ? await aCustomer() : order.id)
    .replace("{orderNumber}", order.orderNumber)
    .replace("{service}", "birth-certificate")
    .replace("{ticketNumber}", pattern.includes("{ticketNumber}") ? await aTicket() : "");
  const browser = caller === "holder" ? holder : stack.browser();
  if (caller === "other") await createdOrder(browser);
  const signedIn = !["anonymous", "other", "holder"].includes(caller);
  const headers = {
    "Read-After": order.position,
    ...(signedIn && { Authorization: `Bearer ${await stack.token(roles[caller])}` }),
  };
  return method === "GET"
    ? browser.get(path, headers)
    : browser.post(path, expectations[route]?.body?.(order), headers);
}

describe("Every route", () => {
  test("stands in the table of who may call it", () => {
    const declared = stack.routes.map(({ method, path }) => `${method} ${path}`);
    expect(declared.sort()).toEqual(Object.keys(expectations).sort());
  });

  const rows = Object.keys(expectations).flatMap((route) =>
    callers.map((caller) => [route, caller] as const),
  );
  test.each(rows)("%s as %s", async (route, caller) => {
    const holder = stack.browser();
    const order = await pricedOrder(holder);
    const before = await stack.events(order.id);
    const reply = await callAs(caller, route, order, holder);
    expect(reply.status).toBe(expectations[route]?.answers[caller]);
    if (reply.status >= 400) expect(await stack.events(order.id)).toEqual(before);
  });

  test.each(["variants", "status", "submit", "cancel"])(
    "says the same of an unknown order: %s",
    async (call) => {
      const browser = stack.browser();
      const order = await createdOrder(browser);
      const body = call === "variants" ? variantBody() : { status: "Processing" };
      const unknown = await browser.post(`/api/orders/${randomUUID()}/${call}`, body);
      const anothers = await stack.browser().post(`/api/orders/${order.id}/${call}`, body);
      const { requestId: _a, ...first } = unknown.body;
      const { requestId: _b, ...second } = anothers.body;
      expect(unknown.status).toBe(404);
      expect(first).toEqual(second);
    },
  );

  test("is closed to staff for an order that does not exist", async () => {
    const headers = { Authorization: `Bearer ${await stack.token("staff")}` };
    expect((await stack.browser().post(`/api/orders/${randomUUID()}/submit`, {}, headers)).status).toBe(404);
    expect((await stack.browser().get(`/api/orders/${randomUUID()}`, headers)).status).toBe(404);
    expect((await stack.browser().get("/api/orders/not-an-id", headers)).status).toBe(404);
  });
});

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

  test("by number masks name and e-mail, except to the holder", async () => {
    const holder = stack.browser();
    const order = await pricedOrder(holder);
    const masked = await byNumber(stack.browser(), order);
    expect(masked.body).toEqual({
      orderNumber: order.orderNumber,
      status: "Pending",
      createdAt: expect.any(String),
      totalAmount: 45,
      contactFullName: "M••• S••• R•••",
      email: "s•••@p•••.example",
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

  test("tells nobody name and e-mail once they are purged", async () => {
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
      question: false,
      needsAnotherAddress: false,
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
    const { searchParams } = new URL(link);
    return { orderNumber: searchParams.get("order"), key: searchParams.get("key") };
  };

  test("makes whoever opens it the holder", async () => {
    const order = await pricedOrder(stack.browser());
    const reader = stack.browser();
    const link = stack.access.trackingLink(order.id, order.orderNumber, inAnHour());
    const entered = await reader.post("/api/orders/access", partsOf(link), { "Read-After": order.position });
    expect(entered.body).toMatchObject({ id: order.id });
    expect((await reader.get(`/api/orders/${order.id}`)).status).toBe(200);
  });

  test("ends", async () => {
    const order = await pricedOrder(stack.browser());
    const link = stack.access.trackingLink(order.id, order.orderNumber, new Date(Date.now() - 2000));
    const reply = await stack
      .browser()
      .post("/api/orders/access", partsOf(link), { "Read-After": order.position });
    expect(reply.status).toBe(410);
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  test("of one order opens no other", async () => {
    const [mine, other] = [await pricedOrder(stack.browser()), await pricedOrder(stack.browser())];
    const { key } = partsOf(stack.access.trackingLink(mine.id, mine.orderNumber, inAnHour()));
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
