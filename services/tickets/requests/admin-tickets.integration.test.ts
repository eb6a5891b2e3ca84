import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ticketBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { createdOrder, startTestStack, type TestStack } from "../../../testing/gateway/stack-fixture.ts";
import type { Reply } from "../../../testing/gateway/test-browser.ts";
import { purgeTicketNow, staff } from "../../../testing/services/ticket-fixture.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

type Opened = { ticketNumber: string; key: string; ticketId: string; position: string };

async function opened(changes: Record<string, unknown> = {}): Promise<Opened> {
  const { body, headers } = await stack.browser().post("/api/tickets", ticketBody(changes));
  const key = new URL(body.link).hash.replace("#key=", "");
  const hex = Buffer.from(key.split(".")[0] ?? "", "base64url").toString("hex");
  const ticketId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { ticketNumber: body.ticketNumber, key, ticketId, position: headers.get("Position") ?? "" };
}

/** A signed-in member of staff. */
function worker(username: string) {
  const signed = async (headers: Record<string, string>) => ({
    ...headers,
    Authorization: `Bearer ${await stack.token("staff", username)}`,
  });
  return {
    get: async (path: string, headers: Record<string, string> = {}) =>
      stack.browser().get(path, await signed(headers)),
    act: async (
      { ticketNumber }: Opened,
      action: string,
      body: Record<string, unknown> = {},
      headers: Record<string, string> = {},
    ) => stack.browser().post(`/api/admin/tickets/${ticketNumber}/${action}`, body, await signed(headers)),
  };
}
const ann = worker("Ann.Staff");
const ben = worker("Ben.Staff");

const typesOf = async ({ ticketId }: Opened) =>
  (await stack.store.readStream(`ticket-${ticketId}`)).map(({ type }) => type);
const typeCount = async (ticket: Opened, type: string) =>
  (await typesOf(ticket)).filter((one) => one === type).length;
const wordsIn = ({ body }: Reply): string => JSON.stringify(body);
const customerSees = ({ key }: Opened, position: string | null) =>
  stack.browser().post("/api/tickets/view", { key }, { "Read-After": position ?? "" });

describe("The inbox", () => {
  test("lists tickets without a word of what was typed, with counts and the day of the law", async () => {
    const ticket = await opened({ category: "dataRequest", subject: "All about me" });
    const listed = await ann.get("/api/admin/tickets?category=dataRequest&limit=200", {
      "Read-After": ticket.position,
    });
    expect(listed.status).toBe(200);
    const line = listed.body.tickets.find(({ ticketNumber }: Opened) => ticketNumber === ticket.ticketNumber);
    expect(line).toEqual({
      ticketNumber: ticket.ticketNumber,
      category: "dataRequest",
      status: "Open",
      since: expect.any(String),
      openedAt: expect.any(String),
      assignee: null,
      messages: 1,
      notes: 0,
      lastMessage: { author: "customer", at: expect.any(String) },
      orderNumber: null,
      linked: false,
      clock: { rule: "dataRequest", dueOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), metOn: null },
      needsOtherAcknowledgement: false,
      undelivered: false,
      deletedAt: null,
    });
    for (const word of ["Siân", "sian.rhys", "All about me", "Saturdays"])
      expect(wordsIn(listed)).not.toContain(word);
    expect(listed.body.counts.due).toBeGreaterThan(0);
    expect(await typeCount(ticket, "PersonalDataRevealed")).toBe(0);
  });

  test("filters by own, unassigned and status, and pages without losing or repeating any", async () => {
    const ticket = await opened();
    const { body } = await ann.act(ticket, "open");
    const [me] = body.assignable;
    const given = await ann.act(ticket, "assign", { assignee: me, expectedRevision: body.revision });
    const after = { "Read-After": given.headers.get("Position") ?? "" };
    const mine = await ann.get("/api/admin/tickets?assignee=mine", after);
    expect(mine.body.tickets.map(({ ticketNumber }: Opened) => ticketNumber)).toEqual([ticket.ticketNumber]);
    expect((await ben.get("/api/admin/tickets?assignee=mine", after)).body.tickets).toEqual([]);
    expect(wordsIn(await ann.get("/api/admin/tickets?assignee=unassigned&limit=200"))).not.toContain(
      ticket.ticketNumber,
    );
    const all = await ann.get("/api/admin/tickets?status=Open&order=newest&limit=200");
    const first = await ann.get("/api/admin/tickets?status=Open&order=newest&limit=1");
    const rest = await ann.get(
      `/api/admin/tickets?status=Open&order=newest&limit=200&after=${first.body.next}`,
    );
    expect([...first.body.tickets, ...rest.body.tickets]).toEqual(all.body.tickets);
  });

  test.each(["status=Lost", "assignee=user_1", "category=weather", "order=random", "limit=0", "after=x~y"])(
    "refuses ?%s in words",
    async (query) => {
      const refused = await ann.get(`/api/admin/tickets?${query}`);
      expect(refused).toMatchObject({ status: 422, body: { code: "invalid-fields" } });
    },
  );
});

describe("Opening a ticket as staff", () => {
  test("shows who wrote and all that was said, notes among it, and is one look that the log tells of", async () => {
    const ticket = await opened({ orderNumber: "0000-0000-00000" });
    const first = await ann.act(ticket, "open");
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      ticketNumber: ticket.ticketNumber,
      revision: 0,
      contact: { name: "Siân Rhys", email: "sian.rhys@post.example" },
      subject: "Weekend post",
      statedOrderNumber: "0000-0000-00000",
      order: null,
      purge: null,
    });
    await ann.act(ticket, "note", { note: "Asked before.", expectedRevision: 0 });
    const again = await ann.act(ticket, "open");
    expect(again.body.conversation.map(({ kind, text }: Record<string, string>) => [kind, text])).toEqual([
      ["message", "Do certificates arrive on Saturdays?\nDiolch!"],
      ["note", "Asked before."],
    ]);
    expect(again.body.history.map(({ text }: Record<string, string>) => text)).toEqual([
      "Added a note",
      "Read the conversation to answer it",
      "Opened",
    ]);
    expect(await typeCount(ticket, "PersonalDataRevealed")).toBe(1);
    await ben.act(ticket, "open");
    const looks = (await stack.store.readStream(`ticket-${ticket.ticketId}`)).filter(
      ({ type }) => type === "PersonalDataRevealed",
    );
    expect(new Set(looks.map(({ metadata }) => JSON.stringify(metadata.actor))).size).toBe(2);
  });

  test("finds it however the number is typed, and says nothing of one that is not there", async () => {
    const { ticketNumber, ...ticket } = await opened();
    const typed = ticketNumber.toLowerCase().replace("t-", "").replaceAll("-", " ");
    expect((await ann.act({ ...ticket, ticketNumber: encodeURIComponent(typed) }, "open")).status).toBe(200);
    expect((await ann.act({ ...ticket, ticketNumber: "T-0000-0000-00000" }, "open")).status).toBe(404);
  });

  test("leaves no look and no word of it where the role does not allow it", async () => {
    const ticket = await opened();
    const headers = { Authorization: `Bearer ${await stack.token("compliance")}` };
    const path = `/api/admin/tickets/${ticket.ticketNumber}/open`;
    expect((await stack.browser().post(path, {}, headers)).status).toBe(403);
    expect((await stack.browser().post(path, {})).status).toBe(401);
    expect(await typesOf(ticket)).toEqual(["TicketOpened"]);
  });
});

describe("A reply of staff", () => {
  test("reaches the customer, and a note never does (control: staff see it)", async () => {
    const ticket = await opened();
    await ann.act(ticket, "note", { note: "Rang; a kind voice.", expectedRevision: 0 });
    const sent = await ann.act(ticket, "reply", {
      message: "On most Saturdays.",
      next: "Waiting",
      expectedRevision: 1,
    });
    expect(sent).toMatchObject({ status: 201, body: { status: "Waiting", revision: 3 } });
    expect(wordsIn(sent)).not.toContain("Saturdays");
    const seen = await customerSees(ticket, sent.headers.get("Position"));
    expect(seen.body).toMatchObject({ status: "Waiting", messages: [{}, { text: "On most Saturdays." }] });
    expect(wordsIn(seen)).not.toMatch(/kind voice|user_/);
    expect(wordsIn(await ben.act(ticket, "open"))).toContain("kind voice");
  });

  test("may close the ticket in one step", async () => {
    const ticket = await opened();
    const body = { message: "Done.", next: "Closed", expectedRevision: 0 };
    expect((await ann.act(ticket, "reply", body)).body.status).toBe("Closed");
    expect(await typesOf(ticket)).toEqual(["TicketOpened", "TicketReplied", "TicketStatusChanged"]);
  });

  test("is refused when a message came meanwhile, seals nothing, and works after a reload", async () => {
    const ticket = await opened();
    await stack.browser().post("/api/tickets/replies", { key: ticket.key, message: "Never mind!" });
    const before = await stack.vault.recordsOf(ticket.ticketId);
    const body = { message: "On most Saturdays.", next: "Waiting", expectedRevision: 0 };
    expect(await ann.act(ticket, "reply", body)).toMatchObject({
      status: 409,
      body: { code: "changed-meanwhile", revision: 1 },
    });
    expect(await stack.vault.recordsOf(ticket.ticketId)).toEqual(before);
    expect((await ann.act(ticket, "reply", { ...body, expectedRevision: 1 })).status).toBe(201);
  });

  test("of two people at once is taken from one, and the other is refused", async () => {
    const ticket = await opened();
    const body = { message: "Yes.", next: "Waiting", expectedRevision: 0 };
    const answers = await Promise.all([ann.act(ticket, "reply", body), ben.act(ticket, "reply", body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await typeCount(ticket, "TicketReplied")).toBe(1);
  });

  test("is sent once under one key, however late it is repeated", async () => {
    const ticket = await opened();
    const key = { "Idempotency-Key": randomUUID() };
    const body = { message: "Yes.", next: "Waiting", expectedRevision: 0 };
    const first = await ann.act(ticket, "reply", body, key);
    await stack.browser().post("/api/tickets/replies", { key: ticket.key, message: "Thanks!" });
    const again = await ann.act(ticket, "reply", body, key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(await typeCount(ticket, "TicketReplied")).toBe(2);
  });

  test("needs words and a next step", async () => {
    const ticket = await opened();
    expect(await ann.act(ticket, "reply", { message: " ", expectedRevision: 0 })).toMatchObject({
      status: 422,
      body: { errors: { message: "Write your reply", next: "Choose what happens next" } },
    });
  });
});

describe("What staff change on a ticket", () => {
  test("is refused in words where it was changed meanwhile, for each action", async () => {
    const ticket = await opened();
    await ben.act(ticket, "note", { note: "Mine, please.", expectedRevision: 0 });
    const { body } = await ben.act(ticket, "open");
    const { orderNumber } = await createdOrder(stack.browser());
    const actions = {
      note: { note: "And?" },
      assign: { assignee: null },
      status: { status: "Closed" },
      category: { category: "dataRequest" },
      link: { orderNumber },
      "replace-link": {},
    };
    for (const [action, values] of Object.entries(actions)) {
      expect(await ann.act(ticket, action, { ...values, expectedRevision: 0 })).toMatchObject({
        status: 409,
        body: { code: "changed-meanwhile", revision: body.revision },
      });
    }
    expect(await typesOf(ticket)).toEqual(["TicketOpened", "TicketNoted", "PersonalDataRevealed"]);
  });

  test("files it under another category, whose deadline counts from the day it was opened", async () => {
    const ticket = await opened();
    const filed = await ann.act(ticket, "category", { category: "dataRequest", expectedRevision: 0 });
    expect(filed.body).toMatchObject({ clock: { rule: "dataRequest", metOn: null }, revision: 1 });
    const { body } = await ann.act(ticket, "open");
    expect(body).toMatchObject({ category: "dataRequest", clock: filed.body.clock });
    expect(body.history).toContainEqual(
      expect.objectContaining({ kind: "staff", text: "Filed under “Personal data”" }),
    );
  });

  test("assigns it to a person who handles tickets, and unassigns it", async () => {
    const ticket = await opened();
    const { body } = await ann.act(ticket, "open");
    const refused = await ann.act(ticket, "assign", { assignee: "user_nobody", expectedRevision: 0 });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { assignee: "No member of staff with that id handles tickets" } },
    });
    const [me] = body.assignable;
    const given = await ann.act(ticket, "assign", { assignee: me, expectedRevision: 0 });
    expect(given.body.assignee).toBe(me);
    const { revision: expectedRevision } = given.body;
    const back = await ann.act(ticket, "assign", { assignee: null, expectedRevision });
    expect(back.body.assignee).toBeNull();
  });

  test("assigns it to a colleague whose role in the settings is staff, and not to an auditor", async () => {
    const ticket = await opened();
    for (const [userId, role] of [
      ["user_colleague", "staff"],
      ["user_auditor", "compliance"],
    ] as const) {
      const command = { type: "GrantStaff" as const, data: { userId, role } };
      const { revision: expectedRevision } = stack.settings.current();
      await stack.settings.execute({ command, commandId: randomUUID(), by: staff, expectedRevision });
    }
    const { body } = await ann.act(ticket, "open");
    expect(body.assignable).toContain("user_colleague");
    expect(body.assignable).not.toContain("user_auditor");
    const give = (assignee: string) => ann.act(ticket, "assign", { assignee, expectedRevision: 0 });
    expect((await give("user_auditor")).status).toBe(422);
    const given = await give("user_colleague");
    expect(given.body.assignee).toBe("user_colleague");
    const again = await ann.act(ticket, "open", {}, { "Read-After": given.headers.get("Position") ?? "" });
    expect(again.body.history[0].text).toMatch(/^Assigned to /);
  });

  test("links it to an order by its number, whose status then stands beside it; a wrong number is refused in words", async () => {
    const ticket = await opened();
    const order = await createdOrder(stack.browser());
    const link = (orderNumber: string) =>
      ann.act(ticket, "link", { orderNumber, expectedRevision: 0 }, { "Read-After": order.position });
    for (const [typed, words] of [
      ["0000-0000-00000", "There is no order with this number"],
      ["12345", "Enter a valid order number"],
    ] as const) {
      expect(await link(typed)).toMatchObject({ status: 422, body: { errors: { orderNumber: words } } });
    }
    expect((await link(order.orderNumber.toLowerCase())).status).toBe(200);
    const { body } = await ann.act(ticket, "open");
    expect(body.order).toMatchObject({ id: order.id, orderNumber: order.orderNumber, status: "Pending" });
    expect(body.history.map(({ text }: Record<string, string>) => text)).toContain(
      `Linked to order ${order.orderNumber}`,
    );
  });

  test("replaces the private link: the old one opens nothing any more", async () => {
    const ticket = await opened();
    const replaced = await ann.act(ticket, "replace-link", { expectedRevision: 0 });
    expect(replaced.status).toBe(200);
    // Staff are not given the customer's key.
    expect(wordsIn(replaced)).not.toContain("#key=");
    expect((await customerSees(ticket, replaced.headers.get("Position"))).status).toBe(404);
  });

  test("acknowledges a complaint by letter, and nothing else", async () => {
    const complaint = await opened({ category: "dataProtectionComplaint" });
    const done = await ann.act(complaint, "acknowledge", { channel: "post", expectedRevision: 0 });
    expect(done.body).toMatchObject({
      acknowledgement: { state: "otherwise" },
      clock: { metOn: expect.any(String) },
    });
    const question = await opened();
    expect(await ann.act(question, "acknowledge", { channel: "post", expectedRevision: 0 })).toMatchObject({
      status: 409,
      body: { rule: "no-clock" },
    });
  });
});

describe("A ticket whose texts were destroyed", () => {
  test("shows the receipt and empty places, takes nothing more, and looking at it is no look", async () => {
    const ticket = await opened();
    await ann.act(ticket, "note", { note: "Patient.", expectedRevision: 0 });
    const position = await purgeTicketNow(stack.deps, ticket.ticketId);
    const { body } = await ann.act(ticket, "open", {}, { "Read-After": position });
    expect(body).toMatchObject({
      status: "Closed",
      contact: null,
      subject: null,
      conversation: [
        { kind: "message", text: null },
        { kind: "note", text: null },
      ],
      purge: {
        rule: "retention",
        records: expect.any(Number),
        keyFingerprint: expect.any(String),
        probe: "unreadable",
      },
    });
    expect(await typeCount(ticket, "PersonalDataRevealed")).toBe(0);
    const late = { message: "Hello?", next: "Waiting", expectedRevision: body.revision };
    expect(await ann.act(ticket, "reply", late)).toMatchObject({
      status: 409,
      body: { phase: "Purged", rule: "ticket-purged" },
    });
  });
});
