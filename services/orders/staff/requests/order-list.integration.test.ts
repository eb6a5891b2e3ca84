import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { londonDate } from "../../../../domain/promise/london-time.ts";
import {
  awaitingPayment,
  createdOrder,
  type Ordered,
  pricedOrder,
  startTestStack,
  type TestStack,
} from "../../../../testing/gateway/stack-fixture.ts";
import { soon } from "../../../../testing/setup/patience.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const signedIn = async (more: Record<string, string> = {}) => ({
  Authorization: `Bearer ${await stack.token("staff")}`,
  "Read-After": await stack.head(),
  ...more,
});
const list = async (query: Record<string, string> = {}) =>
  stack.browser().get(`/api/admin/orders?${new URLSearchParams(query)}`, await signedIn());
const post = async (path: string, body: unknown, more: Record<string, string> = {}) =>
  stack.browser().post(`/api/admin/${path}`, body, await signedIn(more));

const system = { actor: { kind: "system", id: "test" }, correlationId: "test" } as const;

/** A paid order without a request for submission. */
async function paidOrder(): Promise<Ordered> {
  const order = await awaitingPayment(stack.browser());
  await stack.deps.orders.execute({
    orderId: order.id,
    commandId: randomUUID(),
    by: system,
    command: { type: "ConfirmPayment", data: { intentId: order.intentId, amountPence: 4500 } },
  });
  return order;
}

const idsOf = (reply: { body: { orders: { id: string }[] } }) => reply.body.orders.map(({ id }) => id);

describe("GET /api/admin/orders", () => {
  test("goes forward and back by opaque cursors, and names what each order waits for", async () => {
    const orders = [await paidOrder(), await paidOrder(), await paidOrder()];
    const query = { phase: "Paid", limit: "1", sort: "updated" };
    const first = await list(query);
    expect(first.body.orders).toMatchObject([
      { id: orders[2]?.id, totalPence: 4500, phase: "Paid", queues: ["notSubmitted"], despatchBy: null },
    ]);
    expect(first.body.previous).toBeNull();
    const second = await list({ ...query, after: first.body.next });
    expect(idsOf(second)).toEqual([orders[1]?.id]);
    const back = await list({ ...query, before: second.body.previous });
    expect(back.body.orders).toEqual(first.body.orders);
    expect(back.body.previous).toBeNull();
    expect(first.body.next).not.toContain("2026");
  });

  test.each([
    ["created", "2026-11-23T09:30:00.999Z", 200],
    ["created", `2026-11-23T09:30:00.${"9".repeat(130)}Z`, 422],
    ["created", "0000-01-01T00:00:00.000Z", 422],
    ["despatch", "0000-01-01", 422],
    ["despatch", "2026-02-30", 422],
    ["total", 1e130, 422],
    ["total", 0.5, 422],
  ])(
    "goes on after a place that a database would refuse only where it can be read: %s %s",
    async (sort, value, status) => {
      const place = Buffer.from(JSON.stringify([sort, value, randomUUID()])).toString("base64url");
      expect((await list({ sort, after: place })).status).toBe(status);
      expect((await list({ sort, before: place })).status).toBe(status);
    },
  );

  test("filters by queue, status, type, service level and day", async () => {
    const order = await paidOrder();
    const today = londonDate(new Date().toISOString());
    const finds = async (query: Record<string, string>) => idsOf(await list(query)).includes(order.id);
    expect(await finds({ queue: "notSubmitted", type: "Birth", service: "standard" })).toBe(true);
    expect(await finds({ status: "Processing,Failed", createdFrom: today })).toBe(true);
    expect(await finds({ queue: "overdue" })).toBe(false);
    expect(await finds({ type: "Death" })).toBe(false);
    expect(await finds({ createdTo: "2026-01-01" })).toBe(false);
  });

  test.each([
    ["paid", "paidAt"],
    ["despatch", "despatchBy"],
  ] as const)(
    "begins with the latest by %s: leaves out orders without, which come last in reverse",
    async (sort, shown) => {
      const [unpaid, order] = [await createdOrder(stack.browser()), await paidOrder()];
      const { id: orderId } = order;
      const command = { type: "RequestSubmission", data: {} } as const;
      await stack.deps.orders.execute({ orderId, commandId: randomUUID(), by: system, command });
      const falling = await list({ sort, limit: "200" });
      const days = falling.body.orders.map((line: Record<typeof shown, string | null>) => line[shown]);
      expect(days).not.toContain(null);
      expect(days).toEqual(days.toSorted().reverse());
      expect(idsOf(falling)).toContain(orderId);
      const rising = idsOf(await list({ sort, direction: "ascending", limit: "200" }));
      expect(rising.indexOf(unpaid.id)).toBeGreaterThan(rising.indexOf(orderId));
      const response = await fetch(`${stack.url}/api/admin/orders.csv?sort=${sort}`, {
        headers: await signedIn(),
      });
      const exported = await response.text();
      expect(exported).toContain(order.orderNumber);
      expect(exported).not.toContain(unpaid.orderNumber);
    },
  );

  test.each(["createdFrom", "createdTo", "paidFrom", "paidTo"])(
    "refuses days that no calendar of the database has: %s",
    async (name) => {
      expect((await list({ [name]: "0000-01-01" })).status).toBe(422);
      expect((await list({ [name]: "9999-12-31" })).status).toBe(422);
    },
  );

  test("holds no personal data", async () => {
    await paidOrder();
    const everything = JSON.stringify((await list({ limit: "200" })).body);
    expect(everything).not.toMatch(/Rhys|post\.example|Siân/);
  });
});

describe("POST /api/admin/orders/search", () => {
  test("finds by the number however it is typed", async () => {
    const order = await pricedOrder(stack.browser());
    const text = ` ${order.orderNumber.toLowerCase().replaceAll("-", " ")}`;
    const found = await post("orders/search", { by: "number", text });
    expect(found.body).toMatchObject({ orders: [{ id: order.id }], more: false });
    expect((await post("orders/search", { by: "number", text: "0000-0000-00001" })).body.orders).toEqual([]);
  });

  test.each([
    [{ by: "name", text: "Rhys" }, "by"],
    [{ by: "surname", text: " " }, "text"],
    [{ by: "surname" }, "text"],
  ])("refuses %j", async (body, field) => {
    const reply = await post("orders/search", body);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
  });
});

describe("GET /api/admin/orders.csv", () => {
  test("sends every order that passes the filters, oldest first if asked, with a line of headings", async () => {
    const orders = [await createdOrder(stack.browser()), await createdOrder(stack.browser())];
    const headers = await signedIn();
    const url = `${stack.url}/api/admin/orders.csv?phase=Opened&direction=ascending`;
    const response = await fetch(url, { headers });
    expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3).toString("hex")).toBe("efbbbf");
    const lines = bytes.subarray(3).toString("utf8").trimEnd().split("\r\n");
    expect(lines[0]).toBe(
      "orderNumber,status,phase,certificateType,serviceLevel,copies,totalAmount,createdAt,paidAt,updatedAt,despatchBy,queues,undelivered,checkoutId",
    );
    expect(lines.slice(-2).map((line) => line.split(",")[0])).toEqual(
      orders.map(({ orderNumber }) => orderNumber),
    );
    expect(lines.at(-1)).toMatch(/,Pending,Opened,,,,45\.00,\d{4}-.*Z,,\d{4}-.*Z,,,false,$/);
  });

  test("says of each order whether mail to its customer did not arrive", async () => {
    const [arrived, missed] = [await paidOrder(), await paidOrder()];
    for (const [{ id: orderId }, result] of [
      [arrived, "sent"],
      [missed, "refused"],
    ] as const) {
      await stack.deps.orders.execute({
        orderId,
        commandId: randomUUID(),
        by: system,
        command: { type: "RequestSubmission", data: {} },
      });
      const { order } = await stack.deps.orders.load(orderId);
      const about = order.confirmation.about ?? "";
      const data = { template: "confirmation", templateVersion: 1, about, result } as const;
      await stack.deps.orders.execute({
        orderId,
        commandId: randomUUID(),
        by: system,
        command: { type: "RecordMail", data },
      });
    }
    const response = await fetch(`${stack.url}/api/admin/orders.csv`, { headers: await signedIn() });
    const [headings = "", ...lines] = (await response.text()).trimEnd().split("\r\n");
    const place = headings.split(",").indexOf("undelivered");
    const shownOf = ({ orderNumber }: Ordered) =>
      lines.find((line) => line.startsWith(orderNumber))?.split(",")[place];
    expect([shownOf(arrived), shownOf(missed)]).toEqual(["false", "true"]);
  });

  test("refuses what the list refuses", async () => {
    const headers = await signedIn();
    expect((await stack.browser().get("/api/admin/orders.csv?queue=none", headers)).status).toBe(422);
  });
});

describe("POST /api/admin/orders/bulk", () => {
  const key = () => ({ "Idempotency-Key": randomUUID() });
  const reason = "customerAsked";
  const outcomesOf = (reply: { body: { outcomes: { outcome: string; why: string | null }[] } }) =>
    reply.body.outcomes.map(({ outcome, why }) => [outcome, why]);

  test("asks for submissions, and says of each order what came of it", async () => {
    const [paid, unpaid] = [await paidOrder(), await pricedOrder(stack.browser())];
    const unknownOrder = randomUUID();
    const orders = [paid.id, unpaid.id, unknownOrder];
    const reply = await post("orders/bulk", { action: "requestSubmission", orders, reason }, key());
    expect(outcomesOf(reply)).toEqual([
      ["done", null],
      ["refused", "not-paid"],
      ["refused", "unknown-order"],
    ]);
    expect(reply.body.outcomes[0]).toMatchObject({ id: paid.id, orderNumber: paid.orderNumber });
    const asked = (await stack.events(paid.id)).at(-1);
    expect(asked).toMatchObject({
      type: "SubmissionRequested",
      metadata: { actor: { kind: "staff", id: expect.stringMatching(/^user_/) }, reason },
    });
    const again = await post(
      "orders/bulk",
      { action: "requestSubmission", orders: [paid.id], reason },
      key(),
    );
    expect(outcomesOf(again)).toEqual([["unchanged", null]]);
  });

  test("records one dispatch for many, with a note for each, once for a key", async () => {
    const orders = [(await paidOrder()).id, (await paidOrder()).id];
    const dispatchedAt = new Date(Date.now() - 3_600_000).toISOString();
    for (const id of orders) {
      const about = async () => (await stack.deps.orders.load(id)).order.confirmation.about ?? "";
      const execute = async (command: Parameters<typeof stack.deps.orders.execute>[0]["command"]) =>
        stack.deps.orders.execute({ orderId: id, commandId: randomUUID(), by: system, command });
      await execute({ type: "RequestSubmission", data: {} });
      const data = { template: "confirmation", templateVersion: 1, result: "sent" } as const;
      await execute({ type: "RecordMail", data: { ...data, about: await about() } });
      await execute({ type: "StartSubmission", data: { attempt: 1, channel: "automation" } });
      await execute({
        type: "RecordSubmission",
        data: { attempt: 1, groReferenceRef: null, submittedAt: dispatchedAt },
      });
    }
    const body = {
      action: "recordDispatch",
      orders,
      reason: "groWrote",
      note: "In today's post",
      dispatchedAt,
    };
    const once = key();
    const first = await post("orders/bulk", body, once);
    expect(outcomesOf(first)).toEqual([
      ["done", null],
      ["done", null],
    ]);
    const after = await stack.head();
    const repeated = await post("orders/bulk", body, once);
    expect(repeated.body).toEqual(first.body);
    expect(await stack.head()).toBe(after);
    for (const id of orders) {
      const types = (await stack.events(id)).map(({ type }) => type);
      expect(types.slice(-2)).toEqual(["CertificateDispatched", "NoteAdded"]);
    }
  });

  test("refuses a dispatch of what was never given to the GRO, and notes nothing about it", async () => {
    const order = await paidOrder();
    const body = {
      ...{ action: "recordDispatch", orders: [order.id], reason, note: "Sent" },
      dispatchedAt: new Date().toISOString(),
    };
    const before = await stack.events(order.id);
    const [[outcome, why] = []] = outcomesOf(await post("orders/bulk", body, key()));
    expect(outcome).toBe("refused");
    expect(why).toMatch(/^[a-z-]+$/);
    expect(await stack.events(order.id)).toEqual(before);
  });

  test("adds the same note to many, each sealed for its own order", async () => {
    const orders = [(await paidOrder()).id, (await paidOrder()).id];
    const note = "The GRO's line is down until Thursday";
    const reply = await post("orders/bulk", { action: "addNote", orders, reason: "other", note }, key());
    expect(outcomesOf(reply)).toEqual([
      ["done", null],
      ["done", null],
    ]);
    const refs = await Promise.all(
      orders.map(
        async (id) => (await stack.events(id)).find(({ type }) => type === "NoteAdded")?.data.noteRef,
      ),
    );
    expect(new Set(refs).size).toBe(2);
    expect(JSON.stringify(await Promise.all(orders.map((id) => stack.events(id))))).not.toContain("Thursday");
  });

  test("names no order twice", async () => {
    const { id } = await paidOrder();
    const body = { action: "addNote", orders: [id, id], reason: "other", note: "Once" };
    expect((await post("orders/bulk", body, key())).body.outcomes).toHaveLength(1);
  });

  test("takes all that a page of the list can select: fifty payments for ten orders each", async () => {
    const orders = Array.from({ length: 500 }, () => randomUUID());
    const reply = await post("orders/bulk", { action: "requestSubmission", orders, reason }, key());
    expect(new Set(outcomesOf(reply).map(String))).toEqual(new Set(["refused,unknown-order"]));
  });

  test.each([
    [{ action: "cancel" }, "action"],
    [{ orders: [] }, "orders"],
    [{ orders: ["not-an-id"] }, "orders.0"],
    [{ orders: Array.from({ length: 501 }, () => randomUUID()) }, "orders"],
    [{ reason: "because" }, "reason"],
    [{ action: "addNote", note: " " }, "note"],
    [{ action: "recordDispatch", dispatchedAt: "2099-01-01T00:00:00.000Z" }, "dispatchedAt"],
  ])("refuses %j", async (change, field) => {
    const body = { action: "requestSubmission", orders: [randomUUID()], reason: "other", ...change };
    const reply = await post("orders/bulk", body, key());
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
  });
});

describe("GET /api/admin/dashboard", () => {
  test("counts what waits and what happened today", async () => {
    await paidOrder();
    // A read model is catching up until it has reached what was the end of the log when its health was first asked for.
    const body = await vi.waitFor(async () => {
      const { body } = await stack.browser().get("/api/admin/dashboard?days=90", await signedIn());
      expect(body.readModels).toEqual([]);
      return body;
    }, soon);
    expect(body.queues.find(({ queue }: { queue: string }) => queue === "notSubmitted")).toMatchObject({
      more: false,
    });
    expect(body.days).toHaveLength(90);
    expect(body.all.paid).toBeGreaterThan(0);
    expect(body.all.revenuePence).toBe(body.all.paid * 4500);
    expect(body.tickets).toMatchObject({ open: 0, mine: 0 });
  });

  test("knows three spans and no other", async () => {
    expect((await stack.browser().get("/api/admin/dashboard?days=7", await signedIn())).status).toBe(422);
  });
});
