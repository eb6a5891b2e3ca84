import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ticketBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { startTestStack, type TestStack } from "../../testing/gateway/stack-fixture.ts";
import { purgeTicketNow } from "../../testing/services/ticket-fixture.ts";
import { type MailMessage, replyByMail } from "./write-in-ticket.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const pdf = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(2_000)]);
const fileOf = (name: string, bytes: Uint8Array) => ({
  name,
  content: Buffer.from(bytes).toString("base64"),
});

async function opened(changes: Record<string, unknown> = {}) {
  const { status, body, headers } = await stack.browser().post("/api/tickets", ticketBody(changes));
  expect(status).toBe(201);
  const key = new URL(body.link).hash.replace("#key=", "");
  const hex = Buffer.from(key.split(".")[0] ?? "", "base64url").toString("hex");
  const ticketId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { ticketNumber: body.ticketNumber, key, ticketId, position: headers.get("Position") ?? "" };
}

const viewed = async (key: string) => (await stack.browser().post("/api/tickets/view", { key })).body;

/** A download as bytes, with its headers. */
async function download(path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${stack.url}${path}`, {
    method: body ? "POST" : "GET",
    headers: { ...(body && { "Content-Type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const signedIn = async () => ({ Authorization: `Bearer ${await stack.token("staff", "Ann.Staff")}` });

const typesOf = async (ticketId: string) =>
  (await stack.store.readStream(`ticket-${ticketId}`)).map(({ type }) => type);

describe("Files of the contact form and of replies", () => {
  test("are listed with name and size, and come back as they were, as downloads", async () => {
    const { key } = await opened({ attachments: [fileOf("Ewan’s birth.pdf", pdf)] });
    const reply = { key, message: "Another", attachments: [fileOf("note.txt", Buffer.from("Hello"))] };
    expect((await stack.browser().post("/api/tickets/replies", reply)).status).toBe(201);
    const { messages } = await viewed(key);
    expect(messages.map(({ attachments }: { attachments: unknown }) => attachments)).toEqual([
      [{ name: "Ewan’s birth.pdf", type: "pdf", bytes: pdf.length }],
      [{ name: "note.txt", type: "text", bytes: 5 }],
    ]);
    const got = await download("/api/tickets/attachments", { key, messageId: messages[0].id, place: 0 });
    expect(got.status).toBe(200);
    expect(got.bytes.equals(pdf)).toBe(true);
    expect(got.headers.get("Content-Type")).toBe("application/pdf");
    expect(got.headers.get("Content-Disposition")).toMatch(/^attachment; /);
    expect(got.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(got.headers.get("Content-Security-Policy")).toBe("sandbox");
    expect(got.headers.get("Cache-Control")).toBe("no-store");
  });

  test("of 10 MB together are taken; more, more files or another type are refused by their field", async () => {
    const half = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(4_999_000)]);
    await opened({ attachments: [fileOf("one.pdf", half), fileOf("two.pdf", half)] });
    const refusedFor = async (attachments: unknown) => {
      const { status, body } = await stack.browser().post("/api/tickets", ticketBody({ attachments }));
      return [status, Object.keys(body.errors ?? {}).join()];
    };
    const third = fileOf("three.pdf", Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(20_000)]));
    expect(await refusedFor([fileOf("one.pdf", half), fileOf("two.pdf", half), third])).toEqual([
      422,
      "attachments",
    ]);
    expect(await refusedFor(Array.from({ length: 21 }, () => fileOf("a.txt", Buffer.from("a"))))).toEqual([
      422,
      "attachments",
    ]);
    expect(await refusedFor([fileOf("page.pdf", Buffer.from([0, 1, 2, 3]))])).toEqual([422, "attachments"]);
  });

  test("sent again under the same key are the same message; other files are another request", async () => {
    const headers = { "Idempotency-Key": "one-key-for-one-message" };
    const { key } = await opened();
    const send = (bytes: string) =>
      stack
        .browser()
        .post(
          "/api/tickets/replies",
          { key, message: "Here", attachments: [fileOf("a.txt", Buffer.from(bytes))] },
          headers,
        );
    expect((await send("one")).body.messages).toHaveLength(2);
    expect((await send("one")).body.messages).toHaveLength(2);
    expect((await send("two")).body.code).toBe("idempotency-key-reused");
  });

  test("leave no word in the log of events or of requests, and are gone after the purge", async () => {
    const { key, ticketId } = await opened({
      attachments: [fileOf("Angharad.txt", Buffer.from("Gwenllian"))],
    });
    const [message] = (await viewed(key)).messages;
    const written =
      JSON.stringify(await stack.store.readStream(`ticket-${ticketId}`)) + stack.logLines.join("");
    for (const word of ["Angharad", "Gwenllian", Buffer.from("Gwenllian").toString("base64")])
      expect(written).not.toContain(word);
    await purgeTicketNow(stack.deps, ticketId);
    const got = await download("/api/tickets/attachments", { key, messageId: message.id, place: 0 });
    expect(got.status).toBe(404);
  });
});

describe("A mail in a conversation", () => {
  const mail: MailMessage = {
    commandId: "mail-1",
    text: "Thank you",
    quoted: "On Monday you wrote",
    automatic: false,
    sender: "other",
    from: "someone@else.example",
    authentication: { spf: "fail", dkim: "none", dmarc: "none" },
    attachments: [{ name: "scan.pdf", type: "pdf", bytes: pdf }],
    original: Buffer.from("Subject: hi\r\n\r\nThank you"),
  };

  async function mailed() {
    const ticket = await opened();
    const by = { actor: { kind: "customer", id: ticket.ticketId }, correlationId: "mail" } as const;
    await replyByMail(stack.deps, { ticketId: ticket.ticketId, mail, by });
    const message = (await viewed(ticket.key)).messages[1];
    return { ...ticket, message };
  }

  test("is the customer's on their page, without what the receiving server found", async () => {
    const { message } = await mailed();
    expect(message).toEqual({
      ...{ id: message.id, timestamp: message.timestamp, author: "customer", text: "Thank you" },
      ...{ byEmail: true, automatic: false, quoted: "On Monday you wrote" },
      attachments: [{ name: "scan.pdf", type: "pdf", bytes: pdf.length }],
    });
  });

  test("shows staff its sender and checks; files are logged as a look, the original with its reason", async () => {
    const { ticketNumber, ticketId, message } = await mailed();
    const headers = await signedIn();
    const path = `/api/admin/tickets/${ticketNumber}`;
    const whole = await stack.browser().post(`${path}/open`, {}, headers);
    expect(whole.body.conversation[1]).toMatchObject({
      email: {
        from: "someone@else.example",
        sender: "other",
        authentication: { spf: "fail", dkim: "none", dmarc: "none" },
      },
      attachments: [{ name: "scan.pdf" }],
    });
    const file = await download(`${path}/messages/${message.id}/attachments/0`, undefined, headers);
    expect(file.bytes.equals(pdf)).toBe(true);
    for (const missing of ["1", "-1", "x"])
      expect(
        (await download(`${path}/messages/${message.id}/attachments/${missing}`, undefined, headers)).status,
      ).toBe(404);
    const original = await download(
      `${path}/messages/${message.id}/original`,
      { reason: "doubtfulSender" },
      headers,
    );
    expect([original.status, original.bytes.toString()]).toEqual([200, mail.original.toString()]);
    expect(original.headers.get("Content-Disposition")).toContain(".eml");
    expect(await typesOf(ticketId)).toEqual([
      "TicketOpened",
      "TicketReplied",
      "PersonalDataRevealed",
      "OriginalRevealed",
    ]);
    const first = whole.body.conversation[0].id;
    const none = await download(`${path}/messages/${first}/original`, { reason: "unreadable" }, headers);
    expect(none.status).toBe(404);
  });
});

describe("What our mails say", () => {
  test("is chosen on the form or on the page, by the holder of the link", async () => {
    const { key } = await opened({ mailContent: "text" });
    expect((await viewed(key)).mailContent).toBe("text");
    const chosen = await stack.browser().post("/api/tickets/mail-content", { key, content: "link" });
    expect(chosen.body.mailContent).toBe("link");
  });
});
