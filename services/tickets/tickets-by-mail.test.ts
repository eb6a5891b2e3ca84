import { describe, expect, test } from "vitest";
import { ticketTextRecord } from "../../domain/ticket/held-texts.ts";
import {
  mailMessage,
  purgeTicketNow,
  staff,
  ticketRequest,
  writer,
} from "../../testing/services/ticket-fixture.ts";
import {
  Crash,
  failingAppends,
  type TestDependencies,
  testDependencies,
} from "../../testing/services/use-case-fixture.ts";
import {
  type MailMessage,
  openTicket,
  openTicketByMail,
  replyByMail,
  replyToTicket,
} from "./write-in-ticket.ts";

const ofSubject = (deps: TestDependencies, subject: string) =>
  [...deps.vault.records.values()].filter((record) => record.subject === subject);

const kindsIn = (deps: TestDependencies, subject: string) =>
  ofSubject(deps, subject)
    .map(({ kind }) => kind)
    .sort();

async function opened(deps: TestDependencies): Promise<string> {
  return (await openTicket(deps, ticketRequest(), null, undefined, "a-request")).ticket.ticketId;
}

const openMailed = (deps: TestDependencies, mail: MailMessage) => {
  const ticketId = deps.deriveId("ticket", mail.commandId);
  return openTicketByMail(deps, {
    ...{ ticketId, category: "other", orderNumber: null, heldOrderId: null, mail, by: writer },
    contact: { name: "Siân Rhys", email: "sian.rhys@post.example", subject: "Saturdays" },
  });
};

const typesOf = async (deps: TestDependencies, ticketId: string) =>
  (await deps.tickets.history(ticketId)).map(({ event }) => event.type);

describe("A reply by mail", () => {
  test("is the customer's message, with its text, files and original sealed apart", async () => {
    const deps = testDependencies();
    const ticketId = await opened(deps);
    const { ticket } = await replyByMail(deps, { ticketId, mail: mailMessage(), by: writer });
    const message = ticket.messages[1];
    expect(message).toMatchObject({
      author: "customer",
      automatic: false,
      mail: { sender: "known", authentication: { spf: "pass", dkim: "pass", dmarc: "none" } },
      attachments: [{ type: "pdf", bytes: 15 }],
    });
    expect(await deps.vault.open(message?.ref ?? "", ticketTextRecord)).toEqual({
      text: "Please hurry",
      quoted: "On Monday you wrote: …",
      from: "sian.rhys@post.example",
      fileNames: ["Birth 1871.pdf"],
    });
    const bytesOf = async (ref: string | null | undefined) =>
      Buffer.from(await deps.vault.openBytes(ref ?? "")).toString();
    expect(await bytesOf(message?.attachments[0]?.ref)).toBe("%PDF-1.7 a file");
    expect(await bytesOf(message?.mail?.originalRef)).toContain("From: Siân");
  });

  test("reopens a closed ticket, and that of a machine leaves it closed", async () => {
    const deps = testDependencies();
    const ticketId = await opened(deps);
    await replyToTicket(deps, { ticketId, text: "They do.", key: undefined, by: staff, next: "Closed" });
    const automatic = mailMessage({ automatic: true, commandId: "mail-0b" });
    expect((await replyByMail(deps, { ticketId, mail: automatic, by: writer })).ticket.phase).toBe("Closed");
    expect((await replyByMail(deps, { ticketId, mail: mailMessage(), by: writer })).ticket.phase).toBe(
      "Open",
    );
    expect(await typesOf(deps, ticketId)).toEqual([
      "TicketOpened",
      "TicketReplied",
      "TicketStatusChanged",
      "AutomaticReplyReceived",
      "TicketReplied",
      "TicketStatusChanged",
    ]);
  });

  test("that comes again changes nothing and seals nothing, also once the ticket is purged", async () => {
    const deps = testDependencies();
    const ticketId = await opened(deps);
    for (const automatic of [false, true]) {
      const mail = mailMessage({ automatic, commandId: `mail-${automatic}` });
      await replyByMail(deps, { ticketId, mail, by: writer });
      const before = [await typesOf(deps, ticketId), kindsIn(deps, ticketId)];
      await replyByMail(deps, { ticketId, mail, by: writer });
      expect([await typesOf(deps, ticketId), kindsIn(deps, ticketId)]).toEqual(before);
    }
    await purgeTicketNow(deps, ticketId);
    const gone = await typesOf(deps, ticketId);
    const again = await replyByMail(deps, {
      ticketId,
      mail: mailMessage({ commandId: "mail-false" }),
      by: writer,
    });
    expect(again.ticket.ticketId).toBe(ticketId);
    expect([await typesOf(deps, ticketId), kindsIn(deps, ticketId)]).toEqual([gone, []]);
  });

  test.each([false, true])(
    "is one of few until an answer, if many come at once: automatic %s",
    async (automatic) => {
      const deps = testDependencies();
      const ticketId = await opened(deps);
      const came = await Promise.allSettled(
        Array.from({ length: 24 }, (_, n) =>
          replyByMail(deps, {
            ticketId,
            mail: mailMessage({ automatic, commandId: `mail-${n}` }),
            by: writer,
          }),
        ),
      );
      const refusals = came.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
      expect(refusals).toEqual(Array(5).fill(expect.objectContaining({ rule: "answer-pending" })));
      const originals = kindsIn(deps, ticketId).filter((kind) => kind === "ticketOriginal");
      expect(originals).toHaveLength(19);
    },
  );

  test("to a purged ticket is refused", async () => {
    const deps = testDependencies();
    const ticketId = await opened(deps);
    await purgeTicketNow(deps, ticketId);
    await expect(replyByMail(deps, { ticketId, mail: mailMessage(), by: writer })).rejects.toThrow(
      expect.objectContaining({ rule: "ticket-purged" }),
    );
    expect(deps.vault.records.size).toBe(0);
  });

  test("after a crash before the append is taken when it comes again, once", async () => {
    let broken = false;
    const deps = testDependencies(failingAppends(() => broken));
    const ticketId = await opened(deps);
    broken = true;
    await expect(replyByMail(deps, { ticketId, mail: mailMessage(), by: writer })).rejects.toThrow(Crash);
    broken = false;
    const { ticket } = await replyByMail(deps, { ticketId, mail: mailMessage(), by: writer });
    expect(ticket.messages).toHaveLength(2);
    const text = await deps.vault.open(ticket.messages[1]?.ref ?? "", ticketTextRecord);
    expect(text.text).toBe("Please hurry");
  });
});

describe("A ticket opened by mail", () => {
  test("holds who wrote, the mail and its files, and owes the acknowledgement", async () => {
    const deps = testDependencies();
    const { ticket } = await openMailed(deps, mailMessage({ sender: "other" }));
    expect(ticket.phase).toBe("Open");
    expect(ticket.mails.owed).toMatchObject([{ template: "ticketOpened" }]);
    expect(ticket.messages).toMatchObject([{ mail: { sender: "other" } }]);
    expect(kindsIn(deps, ticket.ticketId)).toEqual([
      "ticketAttachment",
      "ticketContact",
      "ticketMessage",
      "ticketOriginal",
    ]);
    expect(ofSubject(deps, ticket.ticketId).every(({ dataClass }) => dataClass === "contact")).toBe(true);
  });

  test("is opened once, however often the mail comes", async () => {
    const deps = testDependencies();
    const results = await Promise.all(Array.from({ length: 10 }, () => openMailed(deps, mailMessage())));
    const [ticketId = ""] = results.map(({ ticket }) => ticket.ticketId);
    expect(await typesOf(deps, ticketId)).toEqual(["TicketOpened"]);
    await purgeTicketNow(deps, ticketId);
    const gone = await typesOf(deps, ticketId);
    await openMailed(deps, mailMessage());
    expect([await typesOf(deps, ticketId), kindsIn(deps, ticketId)]).toEqual([gone, []]);
  });

  test("by a machine is closed, and owes no mail", async () => {
    const deps = testDependencies();
    const { ticket } = await openMailed(deps, mailMessage({ automatic: true }));
    expect([ticket.phase, ticket.mails.owed]).toEqual(["Closed", []]);
  });

  test("is purged with its files and originals", async () => {
    const deps = testDependencies();
    const { ticketId } = (await openMailed(deps, mailMessage())).ticket;
    await replyByMail(deps, { ticketId, mail: mailMessage({ commandId: "mail-0c" }), by: writer });
    await purgeTicketNow(deps, ticketId);
    const { ticket } = await deps.tickets.load(ticketId);
    expect(kindsIn(deps, ticketId)).toEqual([]);
    expect(ticket.messages.map(({ attachments, mail }) => [attachments[0]?.ref, mail?.originalRef])).toEqual([
      [null, null],
      [null, null],
    ]);
  });
});
