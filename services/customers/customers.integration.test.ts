import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { savedAnswers } from "../../domain/saved-draft/sealed-records.ts";
import {
  confirmedOrder,
  type StaffBrowser,
  staffBrowser,
} from "../../testing/gateway/admin-order-fixture.ts";
import { draftBody, newDraftKey } from "../../testing/gateway/request-bodies-fixture.ts";
import { startTestStack, type TestStack } from "../../testing/gateway/stack-fixture.ts";
import type { Reply } from "../../testing/gateway/test-browser.ts";
import { ticketRequest, staff as worker } from "../../testing/services/ticket-fixture.ts";
import { saveDraft } from "../orders/drafts/save-draft.ts";
import { openTicket } from "../tickets/write-in-ticket.ts";

let stack: TestStack;
let staff: StaffBrowser;
beforeAll(async () => {
  stack = await startTestStack();
  staff = await staffBrowser(stack, "staff", "Bronwen");
});
afterAll(() => stack.close());

const search = (by: string, typed: string): Promise<Reply> =>
  staff.post("/api/admin/customers/search", { by, typed });

/** A searchable customer with one confirmed order and one ticket. */
async function createCustomer(changes: { name?: string } = {}) {
  const email = `${randomUUID()}@mail.example`;
  const order = await confirmedOrder(stack);
  const contact = { email, ...(changes.name && { contactFullName: changes.name }) };
  const corrected = await staff.post(`/api/admin/orders/${order.orderNumber}/actions/correct-contact`, {
    reason: "customerAsked",
    expectedRevision: (await stack.events(order.id)).length - 1,
    contact,
  });
  expect(corrected.status).toBe(200);
  const request = ticketRequest({ email, name: "Siân Rhys", message: "Where is it?" });
  const { ticket } = await openTicket(stack.deps, request, null, undefined, "a-request");
  await stack.makeFindable(order.id, ticket.ticketId);
  const found = await search("email", email);
  return { email, order, ticket, id: String(found.body.customers[0]?.id) };
}

const eventsOf = async (orderId: string, type: string) =>
  (await stack.events(orderId)).filter((event) => event.type === type);
const ticketEvents = async (ticketId: string, type: string) =>
  (await stack.store.readStream(`ticket-${ticketId}`)).filter((event) => event.type === type);

describe("Searching", () => {
  it("finds one customer by an email address, masked, with what is held of each order and ticket", async () => {
    const { email, order, ticket } = await createCustomer();
    const { status, body } = await search("email", ` ${email.toUpperCase()} `);
    expect(status).toBe(200);
    expect(body).toEqual({
      more: false,
      customers: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: "M••• S••• R•••",
          email: `${email[0]}•••@m•••.example`,
          more: false,
          orders: [
            expect.objectContaining({
              orderNumber: order.orderNumber,
              status: "Processing",
              application: { state: "needed", for: "order" },
              contact: { state: "needed", for: "order" },
              erasureRequestedAt: null,
            }),
          ],
          drafts: [],
          tickets: [
            expect.objectContaining({
              ticketNumber: ticket.ticketNumber,
              status: "Open",
              texts: { state: "needed", for: "conversation" },
            }),
          ],
        },
      ],
    });
  });

  it("finds candidates by surname and by postcode, each a customer", async () => {
    const name = `Ms Enid Cadwaladr${randomUUID().replaceAll(/[^a-f]/g, "")}`;
    const [one, other] = [await createCustomer({ name }), await createCustomer({ name })];
    const { body } = await search("surname", name.replace("Ms Enid ", "").toUpperCase());
    const ids = body.customers.map(({ id }: { id: string }) => id);
    expect(new Set(ids)).toEqual(new Set([one.id, other.id]));
    const byPostcode = await search("postcode", "sy231aa");
    expect(byPostcode.body.customers.length).toBeGreaterThanOrEqual(2);
  });

  it("finds no one, and says what was wrong with the search", async () => {
    expect((await search("email", "nobody@mail.example")).body).toEqual({ customers: [], more: false });
    expect(await search("email", "no address")).toMatchObject({
      status: 422,
      body: { errors: { typed: "Please enter a valid email address" } },
    });
    expect((await search("surname", " ")).body.errors).toEqual({ typed: "Enter a surname" });
    expect((await search("shoe size", "43")).status).toBe(422);
  });

  it("is limited like the looking up of numbers", async () => {
    const limited = await startTestStack({ limits: { lookups: 2 } });
    const hurried = await staffBrowser(limited);
    const ask = () => hurried.post("/api/admin/customers/search", { by: "surname", typed: "Rhys" });
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 429]);
    await limited.close();
  });
});

describe("A customer's page", () => {
  it("is 404 for an unknown or malformed id", async () => {
    expect((await staff.get(`/api/admin/customers/${randomUUID()}`)).status).toBe(404);
    expect((await staff.get("/api/admin/customers/me")).status).toBe(404);
  });

  it("reveals the identity for a reason, and records the access once", async () => {
    const { id, email, order, ticket } = await createCustomer();
    const refused = await staff.post(`/api/admin/customers/${id}/reveal`, { reason: "curiosity" });
    expect(refused).toMatchObject({ status: 422, body: { errors: { reason: "Choose a reason" } } });
    expect(await eventsOf(order.id, "PersonalDataRevealed")).toEqual([]);

    const { status, body } = await staff.post(`/api/admin/customers/${id}/reveal`, {
      reason: "customerAsked",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: "Mrs Siân Rhys",
      email,
      from: { kind: "order", number: order.orderNumber },
    });
    const looks = await eventsOf(order.id, "PersonalDataRevealed");
    expect(looks.map(({ data }) => data)).toEqual([{ dataClass: "contact", reason: "customerAsked" }]);
    expect(looks[0]?.metadata.actor).toMatchObject({ kind: "staff" });
    expect(await ticketEvents(ticket.ticketId, "PersonalDataRevealed")).toEqual([]);
  });

  it("reveals a customer without orders from their ticket", async () => {
    const email = `${randomUUID()}@mail.example`;
    const { ticket } = await openTicket(stack.deps, ticketRequest({ email }), null, undefined, "a-request");
    await stack.makeFindable(ticket.ticketId);
    const { id } = (await search("email", email)).body.customers[0];
    const { body } = await staff.post(`/api/admin/customers/${id}/reveal`, { reason: "fraudCheck" });
    expect(body).toMatchObject({ name: "Siân Rhys", email, address: null, phone: null });
    const [look] = await ticketEvents(ticket.ticketId, "PersonalDataRevealed");
    expect(look?.data).toMatchObject({ reason: "ticket" });
  });
});

describe("An account of all that is held", () => {
  it("opens everything after recording the access, and stores nothing", async () => {
    const { id, email, order, ticket } = await createCustomer();
    const { status, body, headers } = await staff.post(`/api/admin/customers/${id}/export`, {
      format: "json",
    });
    expect(status).toBe(200);
    expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename=subject-access-.*\.json$/);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(body).toMatchObject({
      complete: true,
      orders: [
        {
          orderNumber: order.orderNumber,
          contact: { name: "Mrs Siân Rhys", email },
          application: { answers: { certificateType: "Birth" } },
          payments: [{ amountPence: 4500 }],
          mails: [{ what: expect.any(String), result: "sent" }, { result: "owed" }, { result: "owed" }],
          looks: [
            { what: "contact data", why: "for a subject access request" },
            { what: "application data", why: "for a subject access request" },
          ],
        },
      ],
      conversations: [
        { ticketNumber: ticket.ticketNumber, messages: [{ from: "you", text: "Where is it?" }] },
      ],
    });
    expect(body.notice.join(" ")).toContain("ico.org.uk");
    // Who of those who work here looked is not the customer's.
    const [look] = await eventsOf(order.id, "PersonalDataRevealed");
    expect(JSON.stringify(body)).not.toContain(String(Object(look?.metadata.actor).id));
    expect(
      (await ticketEvents(ticket.ticketId, "PersonalDataRevealed")).map(({ data }) => data),
    ).toMatchObject([{ reason: "subjectAccess" }]);
  });

  it("is a PDF to be read, too", async () => {
    const { id } = await createCustomer();
    const authorization = { Authorization: `Bearer ${await stack.token("staff")}` };
    const response = await fetch(`${stack.url}/api/admin/customers/${id}/export`, {
      method: "POST",
      headers: { ...authorization, "Content-Type": "application/json", Origin: "http://localhost:3000" },
      body: JSON.stringify({ format: "pdf" }),
    });
    expect(response.headers.get("Content-Type")).toBe("application/pdf");
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
  });
});

describe("Erasure", () => {
  const erase = (id: string, headers: Record<string, string> = {}) =>
    staff.post(`/api/admin/customers/${id}/erase`, { reason: "customerAsked" }, headers);

  it("is asked for on every order and ticket, and says what is kept, for what and on which ground", async () => {
    const { id, order, ticket } = await createCustomer();
    const { status, body } = await erase(id);
    expect(status).toBe(200);
    expect(body.orders).toMatchObject([
      {
        orderNumber: order.orderNumber,
        erasureRequestedAt: expect.any(String),
        erasure: {
          contact: {
            outcome: "kept",
            because: expect.any(String),
            ground: expect.stringContaining("17(1)(a)"),
          },
        },
      },
    ]);
    expect(body.tickets).toMatchObject([
      { erasure: { outcome: "kept" }, erasureRequestedAt: expect.any(String) },
    ]);
    const [asked] = await eventsOf(order.id, "ErasureRequested");
    expect(asked?.metadata).toMatchObject({ reason: "customerAsked", actor: { kind: "staff" } });
    expect(await ticketEvents(ticket.ticketId, "ErasureRequested")).toHaveLength(1);
  });

  it("changes nothing when it is asked for twice", async () => {
    const { id, order } = await createCustomer();
    const key = { "Idempotency-Key": randomUUID() };
    expect((await erase(id, key)).status).toBe(200);
    expect((await erase(id, key)).status).toBe(200);
    expect((await erase(id)).status).toBe(200);
    expect(await eventsOf(order.id, "ErasureRequested")).toHaveLength(1);
  });

  it("says that what nothing needs is erased", async () => {
    const { id, ticket } = await createCustomer();
    await stack.deps.tickets.execute({
      ticketId: ticket.ticketId,
      commandId: randomUUID(),
      by: worker,
      command: { type: "ChangeTicketStatus", data: { status: "Closed", reason: "staffChoice" } },
    });
    const about = ticket.messages[0]?.messageId ?? "";
    await stack.deps.tickets.execute({
      ticketId: ticket.ticketId,
      commandId: randomUUID(),
      by: worker,
      command: {
        type: "RecordTicketMail",
        data: { template: "ticketOpened", templateVersion: 1, about, result: "sent" },
      },
    });
    const { body } = await erase(id);
    expect(body.tickets).toMatchObject([{ erasure: { outcome: "erased" } }]);
  });

  it("makes the customer unfindable once everything is destroyed", async () => {
    const { id, email, order, ticket } = await createCustomer();
    for (const subject of [order.id, ticket.ticketId]) {
      const records = await stack.vault.recordsOf(subject);
      await stack.vault.destroy(records.map(({ recordId }) => recordId));
    }
    expect((await staff.get(`/api/admin/customers/${id}`)).status).toBe(404);
    expect((await search("email", email)).body.customers).toEqual([]);
  });
});

describe("An unfinished order that a person saved", () => {
  const saved = async () => {
    const [email, key] = [`${randomUUID()}@mail.example`, newDraftKey()];
    const draft = savedAnswers.parse(draftBody().draft);
    const { draftId } = await saveDraft(stack.deps, { email, key, draft }, "a-request");
    await stack.makeFindable(draftId);
    const { body } = await search("email", email);
    return { email, key, draftId, customer: body.customers[0] };
  };
  const open = (key: string) => stack.browser().post("/api/drafts/open", { key });
  const reveals = async (draftId: string) =>
    (await stack.store.readStream(`saved-draft-${draftId}`)).flatMap(({ type, data }) =>
      type === "PersonalDataRevealed" ? [data] : [],
    );

  it("is found by the address that the link went to, by name and by postcode, and its link opens it as before", async () => {
    const { email, key, draftId, customer } = await saved();
    expect(customer).toMatchObject({
      name: "M••• S••• R•••",
      email: `${email[0]}•••@m•••.example`,
      orders: [],
      tickets: [],
      drafts: [{ id: draftId, endedAt: null }],
    });
    for (const [by, typed] of [
      ["surname", "Rhys"],
      ["postcode", "SY23 1AA"],
    ] as const) {
      const { body } = await search(by, typed);
      expect(body.customers.map(({ id }: { id: string }) => id)).toContain(customer.id);
    }
    expect((await open(key)).body.draft).toEqual(draftBody().draft);
  });

  it("is revealed and exported, each with an event first", async () => {
    const { email, draftId, customer } = await saved();
    const revealed = await staff.post(`/api/admin/customers/${customer.id}/reveal`, { reason: "complaint" });
    expect(revealed.body).toMatchObject({ from: { kind: "draft", number: null }, email });
    const account = await staff.post(`/api/admin/customers/${customer.id}/export`, { format: "json" });
    expect(account.status).toBe(200);
    expect(account.body.unfinishedOrders).toMatchObject([
      {
        answers: { linkSentTo: email, personalDetails: { firstName: "Siân" } },
        looks: [{ why: "to answer a complaint" }, { why: "for a subject access request" }],
      },
    ]);
    expect(await reveals(draftId)).toEqual([{ reason: "complaint" }, { reason: "subjectAccess" }]);
    const pdf = await staff.post(`/api/admin/customers/${customer.id}/export`, { format: "pdf" });
    expect(pdf.status).toBe(200);
  });

  it("ends with an erasure request", async () => {
    const { key, customer } = await saved();
    const { body } = await staff.post(`/api/admin/customers/${customer.id}/erase`, {
      reason: "customerAsked",
    });
    expect(body.drafts).toMatchObject([{ endedAt: expect.any(String) }]);
    expect((await open(key)).status).toBe(404);
  });
});
