import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { schemaOf } from "../../projections/runner/projection.ts";
import { ticketLookup } from "../../projections/tickets/ticket-lookup.ts";
import { changeHash } from "../../testing/event-store/tampering-fixture.ts";
import { ticketBody, unknownTicket } from "../../testing/gateway/request-bodies-fixture.ts";
import { createdOrder, startTestStack, type TestStack } from "../../testing/gateway/stack-fixture.ts";
import type { Reply, TestBrowser } from "../../testing/gateway/test-browser.ts";
import { purgeTicketNow, staff } from "../../testing/services/ticket-fixture.ts";
import { noteOnTicket, replyToTicket } from "./write-in-ticket.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const address = ticketBody().email;
const keyIn = (link: string): string => new URL(link).hash.replace("#key=", "");

type Opened = { ticketNumber: string; key: string; ticketId: string; position: string };

async function opened(changes: Record<string, unknown> = {}, browser = stack.browser()): Promise<Opened> {
  return openedIn(await browser.post("/api/tickets", ticketBody(changes)));
}

function openedIn({ body, headers }: Reply): Opened {
  const key = keyIn(body.link);
  const hex = Buffer.from(key.split(".")[0] ?? "", "base64url").toString("hex");
  const ticketId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { ticketNumber: body.ticketNumber, key, ticketId, position: headers.get("Position") ?? "" };
}

const events = (ticketId: string): Promise<StoredEvent[]> => stack.store.readStream(`ticket-${ticketId}`);
const typesOf = async (ticketId: string) => (await events(ticketId)).map(({ type }) => type);
const view = async (body: Record<string, unknown>, browser: TestBrowser = stack.browser()) =>
  browser.post("/api/tickets/view", body, { "Read-After": await stack.head() });
const reply = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  stack.browser().post("/api/tickets/replies", body, headers);
const withoutRequestId = ({ status, body: { requestId: _, ...body } }: Reply) => ({ status, body });

describe("Opening a ticket", () => {
  test("answers with a number and a private link, either of which shows the conversation", async () => {
    const sent = await stack.browser().post("/api/tickets", ticketBody());
    expect(sent.status).toBe(201);
    expect(sent.body).toEqual({
      ticketNumber: expect.stringMatching(/^T-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{5}$/),
      link: expect.stringMatching(/^http:\/\/localhost:3000\/support\/view#key=[\w-]{22}\.[\w-]{43}$/),
    });
    const { key, ticketNumber } = openedIn(sent);
    const byKey = await view({ key });
    expect(byKey).toMatchObject({ status: 200 });
    expect(byKey.body).toEqual({
      ticketNumber,
      category: "question",
      status: "Open",
      subject: "Weekend post",
      createdAt: expect.any(String),
      lastUpdated: expect.any(String),
      orderNumber: null,
      messages: [
        {
          id: expect.any(String),
          author: "customer",
          text: "Do certificates arrive on Saturdays?\nDiolch!",
          timestamp: expect.any(String),
          byEmail: false,
          automatic: false,
          quoted: "",
          attachments: [],
        },
      ],
      mailContent: "link",
      deletedAt: null,
    });
    const typed = ticketNumber.toLowerCase().replaceAll("-", " ");
    const byAddress = await view({ ticketNumber: typed, email: address.toUpperCase() });
    expect(byAddress.body).toEqual(byKey.body);
  });

  test("writes no word of what was typed into the log of events or the log of requests", async () => {
    const { ticketId } = await opened({ message: "My sister Angharad was adopted." });
    const written = JSON.stringify(await events(ticketId)) + stack.logLines.join("");
    for (const word of ["Siân", "sian.rhys", "Weekend", "Angharad"]) expect(written).not.toContain(word);
    const kinds = (await stack.vault.recordsOf(ticketId)).map(({ kind, dataClass }) => [kind, dataClass]);
    expect(kinds.sort()).toEqual([
      ["ticketContact", "contact"],
      ["ticketMessage", "contact"],
    ]);
  });

  test("names each field that is wrong in the form's own words, and writes nothing", async () => {
    const before = await stack.head();
    const sent = await stack.browser().post("/api/tickets", { category: "weather", orderNumber: "123" });
    expect(sent.status).toBe(422);
    expect(sent.body).toMatchObject({
      code: "invalid-fields",
      errors: {
        name: "Name is required",
        email: "Please enter a valid email address",
        category: "Choose what your message is about",
        subject: "Subject is required",
        message: "Message is required",
        orderNumber: "Check the order number, or leave it blank",
      },
    });
    expect(await stack.head()).toBe(before);
  });

  test("is the same ticket under the same key, and another request under it is refused", async () => {
    const key = { "Idempotency-Key": randomUUID() };
    const first = await stack.browser().post("/api/tickets", ticketBody(), key);
    const again = await stack.browser().post("/api/tickets", ticketBody(), key);
    expect(again.body).toEqual(first.body);
    expect(await typesOf(openedIn(first).ticketId)).toEqual(["TicketOpened"]);
    const other = await stack.browser().post("/api/tickets", ticketBody({ message: "Something else" }), key);
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency-key-reused" } });
  });

  test("links the ticket to an order only for the browser that holds it; others may merely name one", async () => {
    const holder = stack.browser();
    const order = await createdOrder(holder);
    await stack.browser().get("/api/config", { "Read-After": order.position });
    const theirs = await opened({ orderNumber: order.orderNumber }, holder);
    expect((await events(theirs.ticketId)).map(({ type, data }) => [type, data.orderId])).toEqual([
      ["TicketOpened", undefined],
      ["TicketLinkedToOrder", order.id],
    ]);
    const strangers = await opened({ orderNumber: order.orderNumber });
    expect(await typesOf(strangers.ticketId)).toEqual(["TicketOpened"]);
    expect((await view({ key: strangers.key })).body.orderNumber).toBe(order.orderNumber);
  });

  test("with a data protection complaint stores the law's last day to acknowledge it", async () => {
    const { ticketId } = await opened({ category: "dataProtectionComplaint" });
    const [first] = await events(ticketId);
    const days = (Date.parse(String(first?.data.acknowledgeBy)) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(27);
    expect(days).toBeLessThan(30);
  });

  test("is limited more tightly than the rest, because it sends mail to any address", async () => {
    const strict = await startTestStack({ limits: { contact: 2 } });
    const statuses = [];
    for (const _ of [1, 2, 3]) {
      statuses.push((await strict.browser().post("/api/tickets", ticketBody())).status);
    }
    await strict.close();
    expect(statuses).toEqual([201, 201, 429]);
  });
});

describe("A conversation that is not theirs", () => {
  test("looks the same to everybody: unknown number, wrong address, forged key, half a key", async () => {
    const { ticketNumber, key } = await opened();
    const [id = "", secret = ""] = key.split(".");
    const forged = `${id}.${Buffer.alloc(32, 7).toString("base64url")}`;
    const unknown = `${Buffer.alloc(16, 7).toString("base64url")}.${secret}`;
    const answers = [
      await view({ ticketNumber, email: "somebody.else@post.example" }),
      await view(unknownTicket),
      await view({ ticketNumber: "no number", email: address }),
      await view({ key: forged }),
      await view({ key: unknown }),
      await view({ key: id }),
    ].map(withoutRequestId);
    expect(answers[0]).toMatchObject({ status: 404, body: { code: "not-found" } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test("is refused no sooner for one reason than for another, by the clock", async () => {
    const { ticketNumber } = await opened();
    const timed = async (body: Record<string, unknown>) => {
      const start = performance.now();
      await view(body);
      return performance.now() - start;
    };
    const wrongAddress = await timed({ ticketNumber, email: "somebody.else@post.example" });
    const unknownNumber = await timed(unknownTicket);
    const noKey = await timed({ key: "x" });
    // What each really takes is a few milliseconds; none shows.
    for (const elapsed of [wrongAddress, unknownNumber, noKey]) expect(elapsed).toBeGreaterThanOrEqual(290);
  });

  test("can neither be written in nor given a new link", async () => {
    const { ticketNumber, ticketId } = await opened();
    const wrong = { ticketNumber, email: "somebody.else@post.example" };
    const answers = [
      await reply({ ...wrong, message: "Hello" }),
      await stack.browser().post("/api/tickets/link", wrong),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(await typesOf(ticketId)).toEqual(["TicketOpened"]);
  });

  test("names what is missing when neither pair is whole", async () => {
    expect(await view({})).toMatchObject({
      status: 422,
      body: {
        errors: {
          ticketNumber: "Ticket number is required",
          email: "Please enter a valid email address",
        },
      },
    });
  });

  test("shares one limit over all three ways of asking", async () => {
    const strict = await startTestStack({ limits: { lookups: 2 } });
    const browser = strict.browser();
    const statuses = [
      (await browser.post("/api/tickets/view", unknownTicket)).status,
      (await browser.post("/api/tickets/replies", { ...unknownTicket, message: "Hello" })).status,
      (await browser.post("/api/tickets/link", unknownTicket)).status,
    ];
    await strict.close();
    expect(statuses).toEqual([404, 404, 429]);
  });
});

describe("A reply", () => {
  test("of the customer answers with the conversation, which staff then answer", async () => {
    const { key, ticketNumber, ticketId } = await opened();
    const sent = await reply({ ticketNumber, email: address, message: "And on Sundays?" });
    expect(sent.status).toBe(201);
    expect(sent.body).toMatchObject({ status: "Open", messages: [{}, { text: "And on Sundays?" }] });

    const writing = { ticketId, key: undefined, by: staff };
    await noteOnTicket(stack.deps, { ...writing, text: "Asks a lot." });
    const { position } = await replyToTicket(stack.deps, { ...writing, text: "On neither, sorry." });
    const seen = await stack.browser().post("/api/tickets/view", { key }, { "Read-After": position });
    expect(seen.body.status).toBe("Waiting");
    expect(seen.body.messages.map(({ author, text }: Record<string, string>) => [author, text])).toEqual([
      ["customer", "Do certificates arrive on Saturdays?\nDiolch!"],
      ["customer", "And on Sundays?"],
      ["staff", "On neither, sorry."],
    ]);
    expect(JSON.stringify(seen.body)).not.toMatch(/Asks a lot|staff_1/);

    expect((await reply({ key, message: "Thank you" })).body.status).toBe("Open");
    expect(await typesOf(ticketId)).toEqual([
      "TicketOpened",
      "TicketReplied",
      "TicketNoted",
      "TicketReplied",
      "TicketStatusChanged",
      "TicketReplied",
      "TicketStatusChanged",
    ]);
  });

  test("is written once under one key, and another text under it is refused", async () => {
    const { key, ticketId } = await opened();
    const header = { "Idempotency-Key": randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => reply({ key, message: "Once" }, header)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await typesOf(ticketId)).toEqual(["TicketOpened", "TicketReplied"]);
    expect(await reply({ key, message: "Twice" }, header)).toMatchObject({
      status: 422,
      body: { code: "idempotency-key-reused" },
    });
  });

  test("waits for an answer after so many", async () => {
    const { key } = await opened();
    for (let n = 1; n < 20; n++) await reply({ key, message: `Message ${n}` });
    expect(await reply({ key, message: "One too many" })).toMatchObject({
      status: 409,
      body: { code: "forbidden-in-phase", phase: "Open", rule: "answer-pending" },
    });
  });

  test("needs words", async () => {
    const { key } = await opened();
    expect(await reply({ key, message: "  " })).toMatchObject({
      status: 422,
      body: { errors: { message: "Message is required" } },
    });
  });
});

describe("A private link", () => {
  test("that was replaced opens nothing, and the new one opens at once", async () => {
    const { key, ticketNumber } = await opened();
    const replaced = await stack.browser().post("/api/tickets/link", { ticketNumber, email: address });
    expect(replaced).toMatchObject({ status: 200, body: { ticketNumber } });
    expect((await view({ key: keyIn(replaced.body.link) })).status).toBe(200);
    expect((await view({ key })).status).toBe(404);
    expect((await stack.browser().post("/api/tickets/link", { key })).status).toBe(404);
  });

  test("cannot be replaced twice at once: who comes second has none", async () => {
    const { key } = await opened();
    const replace = () => stack.browser().post("/api/tickets/link", { key });
    const both = await Promise.all([replace(), replace()]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    const link = both.find(({ status }) => status === 200)?.body.link;
    expect((await view({ key: keyIn(link) })).status).toBe(200);
  });

  test("that was replaced opens nothing even while the read model is behind", async () => {
    const { key, position } = await opened();
    await stack.projections.waitFor(position, 5_000);
    const client = await stack.pool.connect();
    try {
      await client.query(`begin; lock table ${schemaOf(ticketLookup)}.tickets in share mode`);
      const replaced = await stack.browser().post("/api/tickets/link", { key });
      expect(replaced.status).toBe(200);
      const { body } = replaced;
      for (const path of ["view", "replies", "link"]) {
        const answer = await stack.browser().post(`/api/tickets/${path}`, { key, message: "Hello?" });
        expect(answer.status, path).toBe(404);
      }
      const current = await stack.browser().post("/api/tickets/view", { key: keyIn(body.link) });
      expect(current).toMatchObject({ status: 200, body: { messages: [{ author: "customer" }] } });
    } finally {
      await client.query("rollback");
      client.release();
    }
  });
});

test("A private link of a ticket that cannot be read says so, and opens it again once it was put right", async () => {
  const { key, ticketId } = await opened();
  const hash = await changeHash(stack.pool, `ticket-${ticketId}`, 0);
  try {
    for (const path of ["view", "replies", "link"]) {
      const answer = await stack.browser().post(`/api/tickets/${path}`, { key, message: "Hello?" });
      expect([answer.status, answer.body.code], path).toEqual([423, "record-unreadable"]);
    }
  } finally {
    await changeHash(stack.pool, `ticket-${ticketId}`, 0, hash);
  }
  expect((await view({ key })).status).toBe(200);
});

describe("A ticket that was destroyed", () => {
  test("says so only to its link; nothing can be written in it", async () => {
    const key = { "Idempotency-Key": randomUUID() };
    const ticket = openedIn(await stack.browser().post("/api/tickets", ticketBody(), key));
    const position = await purgeTicketNow(stack.deps, ticket.ticketId);
    const seen = await stack
      .browser()
      .post("/api/tickets/view", { key: ticket.key }, { "Read-After": position });
    expect(seen).toMatchObject({ status: 200, body: { status: "Closed", subject: null, messages: [] } });
    expect(seen.body.deletedAt).toEqual(expect.any(String));
    expect((await view({ ticketNumber: ticket.ticketNumber, email: address })).status).toBe(404);
    for (const headers of [{}, { "Idempotency-Key": randomUUID() }]) {
      expect(await reply({ key: ticket.key, message: "Still there?" }, headers)).toMatchObject({
        status: 409,
        body: { phase: "Purged", rule: "ticket-purged" },
      });
    }
    expect(await stack.vault.recordsOf(ticket.ticketId)).toEqual([]);
    // Nothing is left to compare a repeat with, and the key alone does not give access to the link.
    const again = await stack.browser().post("/api/tickets", ticketBody(), key);
    expect(again).toMatchObject({ status: 422, body: { code: "idempotency-key-reused" } });
  });
});
