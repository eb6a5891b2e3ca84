import { createSecretKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ticketContactRecord, ticketTextRecord } from "../../domain/ticket/held-texts.ts";
import type { Ticket } from "../../domain/ticket/state.ts";
import { paidOrder, recordConfirmation } from "../../testing/services/paid-order-fixture.ts";
import { purgeTicketNow, staff, ticketRequest } from "../../testing/services/ticket-fixture.ts";
import {
  Crash,
  customer,
  failingAppends,
  type TestDependencies,
  testDependencies,
} from "../../testing/services/use-case-fixture.ts";
import { correctContact } from "../orders/correct-contact.ts";
import { readMail } from "../providers/mail-in/read-mail.ts";
import { openTicket } from "../tickets/write-in-ticket.ts";
import { createMailReceiver } from "./receive-mail.ts";
import { createReturnAddresses, type ReturningMail } from "./return-address.ts";

const key = createSecretKey(Buffer.alloc(32, 7));
const keys = { current: () => key, accepted: () => [key] };

function bench(
  deps: TestDependencies = testDependencies(),
  { allowed = Number.POSITIVE_INFINITY, usedUpForMs = 0 }: { allowed?: number; usedUpForMs?: number } = {},
) {
  const addresses = createReturnAddresses({ address: "help@certificates.example", keys, now: deps.now });
  let mailsRead = 0;
  const receive = createMailReceiver({
    deps,
    addresses,
    reader: {
      read: (mail) => {
        mailsRead += 1;
        return readMail(mail, { authServer: undefined });
      },
    },
    unverified: { count: async () => (allowed-- > 0 ? 0 : 60_000), usedUpForMs: async () => usedUpForMs },
  });
  let sent = 0;
  const mailTo = (recipient: string, headers: readonly string[] = [], body = "Diolch, Siân") => {
    sent += 1;
    const usual = [`To: ${recipient}`, `Message-ID: <${sent}@example.org>`, "From: Siân <sian@example.org>"];
    const isGiven = (line: string) => headers.some((given) => given.startsWith(line.split(":")[0] ?? ""));
    const lines = [...usual.filter((line) => !isGiven(line)), ...headers, "", body];
    const raw = Buffer.from(lines.join("\n").replaceAll("\n", "\r\n"));
    return { envelopeFrom: "sian@example.org", recipient, raw };
  };
  return { deps, addresses, receive, mailTo, mailsRead: () => mailsRead };
}
type Bench = ReturnType<typeof bench>;

const confirmationOf = async (
  { deps, addresses }: Bench,
  orderId: string,
  more: Partial<ReturningMail> = {},
) => {
  const { order } = await deps.orders.load(orderId);
  const messageId = `confirmation.${order.confirmation.about}`;
  return addresses.for({ subject: { kind: "order", id: orderId }, messageId, generation: 0, ...more });
};

const ticketOf = async ({ deps }: Bench, ticketId: string): Promise<Ticket> =>
  (await deps.tickets.load(ticketId)).ticket;

const ticketIds = ({ deps }: Bench): string[] => [
  ...new Set(
    [...deps.vault.records.values()]
      .filter(({ kind }) => kind === "ticketContact")
      .map(({ subject }) => subject),
  ),
];

async function onlyTicket(on: Bench): Promise<Ticket> {
  const [ticketId = "", ...others] = ticketIds(on);
  expect(others).toEqual([]);
  return ticketOf(on, ticketId);
}

const textsOf = ({ deps }: Bench, { messages }: Ticket) =>
  Promise.all(messages.map(async ({ ref }) => (await deps.vault.open(ref ?? "", ticketTextRecord)).text));

const opened = async ({ deps }: Bench) =>
  (await openTicket(deps, ticketRequest({ email: "sian@example.org" }), null, undefined, "a-request")).ticket;

const addressOf = ({ addresses }: Bench, { ticketId, linkGeneration }: Ticket) =>
  addresses.for({
    subject: { kind: "ticket", id: ticketId },
    messageId: "ticketAnswered.x",
    generation: linkGeneration,
  });

describe("A reply to a ticket's mail", () => {
  test("is a message of its customer, and reopens it", async () => {
    const on = bench();
    const { ticketId } = await opened(on);
    const closing = {
      type: "ChangeTicketStatus",
      data: { status: "Closed", reason: "staffChoice" },
    } as const;
    await on.deps.tickets.execute({ ticketId, commandId: "close", by: staff, command: closing });
    const before = await ticketOf(on, ticketId);
    expect(await on.receive(on.mailTo(addressOf(on, before)))).toEqual({ kind: "taken" });
    const ticket = await ticketOf(on, ticketId);
    expect([before.phase, ticket.phase]).toEqual(["Closed", "Open"]);
    expect(ticket.messages.at(-1)).toMatchObject({ author: "customer", mail: { sender: "known" } });
    expect((await textsOf(on, ticket)).at(-1)).toBe("Diolch, Siân");
  });

  test("from another address is marked as such", async () => {
    const on = bench();
    const ticket = await opened(on);
    await on.receive(on.mailTo(addressOf(on, ticket), ["From: somebody@else.example"]));
    expect((await ticketOf(on, ticket.ticketId)).messages.at(-1)?.mail?.sender).toBe("other");
  });

  test("by a machine is filed, and nothing else", async () => {
    const on = bench();
    const ticket = await opened(on);
    await on.receive(on.mailTo(addressOf(on, ticket), ["Auto-Submitted: auto-replied"]));
    const after = await ticketOf(on, ticket.ticketId);
    expect(after.messages).toHaveLength(2);
    expect({ ...after, messages: [], counts: {} }).toEqual({ ...ticket, messages: [], counts: {} });
  });

  test("shows staff no key of the links that it quotes", async () => {
    const on = bench();
    const ticket = await opened(on);
    const links = [
      "https://copies.example/lookup?order=AB12#key=abc.1234-_Z",
      "https://copies.example/lookup?order=CD34&key=abc.1234-_Z",
      "https://copies.example/support/view#key=abc.def",
      "https://copies.example/order/saved#delete=abcdef",
    ];
    const body = [...links, "", "On Monday we wrote:", ...links.map((link) => `> ${link}`)].join("\n");
    await on.receive(on.mailTo(addressOf(on, ticket), [], body));
    const ref = (await ticketOf(on, ticket.ticketId)).messages.at(-1)?.ref ?? "";
    const { text, quoted } = await on.deps.vault.open(ref, ticketTextRecord);
    for (const part of [text, quoted]) {
      expect(part).toContain("https://copies.example/lookup?order=AB12#key=…");
      expect(part).toContain("https://copies.example/lookup?order=CD34&key=…");
      expect(part).toContain("https://copies.example/support/view#key=…");
      expect(part).toContain("https://copies.example/order/saved#delete=…");
      expect(part).not.toContain("abc");
    }
  });

  const link = "https://copies.example/support/view#key=abc.def-_Z";
  const safe = "https://eur01.safelinks.protection.outlook.com/?url=";
  test.each([
    ["Microsoft's", `${safe}${encodeURIComponent(link)}&data=05%7C02%7C`, "%23key%3D…&data=05%7C02%7C"],
    [
      "Microsoft's, of a link in a query",
      `${safe}${encodeURIComponent("https://copies.example/order?key=abc.def")}&data=05`,
      "%3Fkey%3D…&data=05",
    ],
    [
      "another's around it",
      `https://p.example/?u=${encodeURIComponent(safe + encodeURIComponent(link))}`,
      "%2523key%253D…",
    ],
    ["Proofpoint's", `https://urldefense.com/v3/__${link.replace("#", "*")}__;Iw!!abc`, "*key=…;Iw!!abc"],
    [
      "Proofpoint's earlier",
      "https://urldefense.proofpoint.com/v2/url?u=https-3A__copies.example_support_view-23key-3Dabc.def&d=Dw",
      "-23key-3D…&d=Dw",
    ],
    ["one in small letters", `${safe}${encodeURIComponent(link).toLowerCase()}`, "%23key%3d…"],
  ])("shows staff no key of a link as %s protector rewrote it", async (_, rewritten, shown) => {
    const on = bench();
    const ticket = await opened(on);
    await on.receive(on.mailTo(addressOf(on, ticket), [], rewritten));
    const [, text] = await textsOf(on, await ticketOf(on, ticket.ticketId));
    expect(text).toContain(shown);
    expect(text).not.toContain("abc.def");
  });

  test("in HTML alone, and the subject of one, show staff no key", async () => {
    const on = bench();
    const headers = [`Subject: ${link}`, "Content-Type: text/html"];
    await on.receive(on.mailTo("help@certificates.example", headers, `<a href="${link}">${link}</a>`));
    const ticket = await onlyTicket(on);
    const { subject } = await on.deps.vault.open(ticket.contactRef ?? "", ticketContactRecord);
    expect([subject, ...(await textsOf(on, ticket))].join()).not.toContain("abc");
    expect(subject).toBe("https://copies.example/support/view#key=…");
  });

  test("by a service that answers each mail like a person is answered by nothing", async () => {
    const on = bench();
    await on.receive(on.mailTo("help@certificates.example"));
    const ticket = await onlyTicket(on);
    const group = ["Precedence: list", "List-Id: <a.group.example>", "X-Auto-Response-Suppress: All"];
    for (let n = 0; n < 3; n += 1) await on.receive(on.mailTo(addressOf(on, ticket), group));
    const { messages, mails } = await onlyTicket(on);
    expect(messages).toHaveLength(4);
    expect(mails).toEqual(ticket.mails);
  });

  test("with the address of a replaced link is a new ticket", async () => {
    const on = bench();
    const ticket = await opened(on);
    const address = addressOf(on, ticket);
    const replacing = { type: "ReplaceTicketLink", data: {} } as const;
    await on.deps.tickets.execute({
      ticketId: ticket.ticketId,
      commandId: "replace",
      by: staff,
      command: replacing,
    });
    await on.receive(on.mailTo(address));
    expect((await ticketOf(on, ticket.ticketId)).messages).toHaveLength(1);
    expect(ticketIds(on)).toHaveLength(2);
  });

  test("that comes again changes nothing, not even after the ticket's purge", async () => {
    const on = bench();
    const ticket = await opened(on);
    const mail = on.mailTo(addressOf(on, ticket));
    for (let n = 0; n < 3; n += 1) expect(await on.receive(mail)).toEqual({ kind: "taken" });
    expect((await ticketOf(on, ticket.ticketId)).messages).toHaveLength(2);
    await purgeTicketNow(on.deps, ticket.ticketId);
    expect(await on.receive(mail)).toEqual({ kind: "taken" });
    expect(ticketIds(on)).toEqual([]);
  });

  test.each([
    ["written", 19, []],
    ["automatic", 20, ["Auto-Submitted: auto-replied"]],
  ])("that is %s is refused for good once twenty messages wait for an answer", async (_, most, headers) => {
    const on = bench();
    const ticket = await opened(on);
    const receive = () => on.receive(on.mailTo(addressOf(on, ticket), headers));
    for (let n = 0; n < most; n += 1) expect(await receive()).toEqual({ kind: "taken" });
    const sealed = on.deps.vault.records.size;
    expect(await receive()).toMatchObject({ kind: "refused", code: "answerPending", reply: 550 });
    expect(on.deps.vault.records.size).toBe(sealed);
  });

  test("by a machine is kept once, files and all: as it came", async () => {
    const on = bench();
    const ticket = await opened(on);
    const file = Buffer.from("%PDF-1.7 a file");
    const type = ["Content-Type: application/pdf; name=a.pdf", "Content-Transfer-Encoding: base64"];
    const headers = ["Auto-Submitted: auto-replied", "Content-Disposition: attachment", ...type];
    await on.receive(on.mailTo(addressOf(on, ticket), headers, file.toString("base64")));
    const message = (await ticketOf(on, ticket.ticketId)).messages.at(-1);
    expect(message).toMatchObject({ automatic: true, attachments: [] });
    const original = await on.deps.vault.openBytes(message?.mail?.originalRef ?? "");
    expect(Buffer.from(original).toString()).toContain(file.toString("base64"));
  });

  test("is not acknowledged when its event could not be appended, and is taken when it comes again", async () => {
    let broken = false;
    const on = bench(testDependencies(failingAppends(() => broken)));
    const ticket = await opened(on);
    const mail = on.mailTo(addressOf(on, ticket));
    broken = true;
    await expect(on.receive(mail)).rejects.toThrow(Crash);
    broken = false;
    await on.receive(mail);
    expect(await textsOf(on, await ticketOf(on, ticket.ticketId))).toHaveLength(2);
  });
});

describe("A reply to an order's mail", () => {
  test("opens a ticket of the order, with the name and address that the order has", async () => {
    const on = bench();
    const orderId = await paidOrder(on.deps);
    await on.receive(
      on.mailTo(await confirmationOf(on, orderId), ["From: M <m@else.example>", "Subject: When?"]),
    );
    const ticket = await onlyTicket(on);
    expect(ticket).toMatchObject({ category: "order", linkedOrder: { orderId } });
    expect(await on.deps.vault.open(ticket.contactRef ?? "", ticketContactRecord)).toEqual({
      name: "Mrs Siân Rhys",
      email: "sian.rhys@post.example",
      subject: "When?",
    });
    expect(ticket.messages[0]?.mail?.sender).toBe("other");
  });

  test("goes on in that ticket, and begins another once it is purged", async () => {
    const on = bench();
    const orderId = await paidOrder(on.deps);
    const address = await confirmationOf(on, orderId);
    const [first, second, third] = [on.mailTo(address), on.mailTo(address), on.mailTo(address)];
    await on.receive(first);
    await on.receive(second);
    const ticket = await onlyTicket(on);
    expect(ticket.messages).toHaveLength(2);
    await purgeTicketNow(on.deps, ticket.ticketId);
    await on.receive(first);
    expect(ticketIds(on)).toEqual([]);
    await on.receive(third);
    expect(await onlyTicket(on)).toMatchObject({ linkedOrder: { orderId }, messages: [{}] });
  });

  test("by a person, after a machine answered first, is acknowledged as the one that opens it", async () => {
    const on = bench();
    const orderId = await paidOrder(on.deps);
    const address = await confirmationOf(on, orderId);
    const away = ["Auto-Submitted: auto-replied", "Subject: Automatic reply: Your order"];
    await on.receive(on.mailTo(address, away));
    const { phase, mails, contactRef } = await onlyTicket(on);
    expect({ phase, owed: mails.owed }).toEqual({ phase: "Closed", owed: [] });
    await on.receive(on.mailTo(address));
    await on.receive(on.mailTo(address));
    const ticket = await onlyTicket(on);
    const [, first] = ticket.messages;
    expect(ticket).toMatchObject({
      phase: "Open",
      mails: { owed: [{ template: "ticketOpened", about: first?.messageId }], sent: [] },
    });
    const { subject } = await on.deps.vault.open(contactRef ?? "", ticketContactRecord);
    expect(subject).toBe(`Order ${ticket.orderNumber}`);
  });

  test("from a corrected address is not put where the holder of the earlier one can read it", async () => {
    const on = bench();
    const orderId = await paidOrder(on.deps);
    await on.receive(on.mailTo(await confirmationOf(on, orderId)));
    const strangers = await onlyTicket(on);
    await correctContact(on.deps, orderId, { email: "new@post.example" }, undefined, customer);
    await on.receive(on.mailTo(await confirmationOf(on, orderId, { generation: 1 })));
    expect((await ticketOf(on, strangers.ticketId)).messages).toHaveLength(1);
    const [own = ""] = ticketIds(on).filter((ticketId) => ticketId !== strangers.ticketId);
    const { contactRef, linkedOrder } = await ticketOf(on, own);
    const contact = await on.deps.vault.open(contactRef ?? "", ticketContactRecord);
    expect([contact.email, linkedOrder?.orderId]).toEqual(["new@post.example", orderId]);
  });

  test("that comes again after a correction changes nothing", async () => {
    const on = bench();
    const orderId = await paidOrder(on.deps);
    const mail = on.mailTo(await confirmationOf(on, orderId));
    await on.receive(mail);
    await correctContact(on.deps, orderId, { email: "new@post.example" }, undefined, customer);
    expect(await on.receive(mail)).toEqual({ kind: "taken" });
    expect((await onlyTicket(on)).messages).toHaveLength(1);
  });

  test("twice at once opens one ticket with both", async () => {
    const on = bench();
    const address = await confirmationOf(on, await paidOrder(on.deps));
    const mails = [on.mailTo(address), on.mailTo(address), on.mailTo(address)];
    expect(await Promise.all(mails.map(on.receive))).toEqual(mails.map(() => ({ kind: "taken" })));
    expect((await onlyTicket(on)).messages).toHaveLength(3);
  });

  test.each<[string, (on: Bench, orderId: string) => Promise<unknown>]>([
    [
      "once the contact details were corrected",
      ({ deps }, orderId) =>
        correctContact(deps, orderId, { email: "new@post.example" }, undefined, customer),
    ],
    [
      "once they were destroyed",
      async ({ deps }, orderId) => {
        const records = await deps.vault.recordsOf(orderId, "contact");
        await deps.vault.destroy(records.map(({ recordId }) => recordId));
      },
    ],
  ])("is unverified %s", async (_, happens) => {
    const on = bench();
    const orderId = await paidOrder(on.deps);
    const address = await confirmationOf(on, orderId);
    await happens(on, orderId);
    await on.receive(on.mailTo(address));
    const ticket = await onlyTicket(on);
    expect(ticket).toMatchObject({ category: "other", linkedOrder: null, orderNumber: null });
  });
});

describe("Mail to an address without a token", () => {
  test("opens an unverified ticket, whatever its subject says", async () => {
    const on = bench();
    const orderId = await paidOrder(on.deps);
    const { order } = await on.deps.orders.load(orderId);
    const headers = [`Subject: Re: ${order.orderNumber}`, "From: Mrs Siân Rhys <sian.rhys@post.example>"];
    await on.receive(on.mailTo("help@certificates.example", headers));
    expect(await onlyTicket(on)).toMatchObject({ category: "other", linkedOrder: null, orderNumber: null });
  });

  test("is limited by its author, who is told to try later", async () => {
    const on = bench(undefined, { allowed: 1 });
    const first = on.mailTo("help@certificates.example");
    expect(await on.receive(first)).toEqual({ kind: "taken" });
    expect(await on.receive(first), "the same mail again does not count").toEqual({ kind: "taken" });
    expect(await on.receive(on.mailTo("help@certificates.example"))).toMatchObject({
      code: "tooManyMails",
      reply: 451,
      againAfterMs: 60_000,
    });
  });

  test("is refused unread once the hour's is used up, and a reply is taken", async () => {
    const on = bench(undefined, { usedUpForMs: 60_000 });
    const refused = { code: "tooManyMails", reply: 451, againAfterMs: 60_000 };
    expect(await on.receive(on.mailTo("help@certificates.example"))).toMatchObject(refused);
    expect(on.mailsRead()).toBe(0);
    const reply = on.mailTo(await confirmationOf(on, await paidOrder(on.deps)));
    expect(await on.receive(reply)).toEqual({ kind: "taken" });
  });

  test("is refused without an author to answer", async () => {
    const on = bench();
    const mail = on.mailTo("help@certificates.example", ["From: undisclosed"]);
    expect(await on.receive(mail)).toMatchObject({ code: "noSender", reply: 554 });
    expect(ticketIds(on)).toEqual([]);
  });

  test("by a machine is answered by nothing", async () => {
    const on = bench();
    await on.receive(on.mailTo("help@certificates.example", ["Precedence: bulk"]));
    expect(await onlyTicket(on)).toMatchObject({ phase: "Closed", mails: { owed: [] } });
  });
});

const reportTo = (on: Bench, recipient: string, status = "5.1.1", type = "delivery-status") =>
  on.mailTo(
    recipient,
    ["MIME-Version: 1.0", `Content-Type: multipart/report; report-type=${type}; boundary="b"`],
    [
      "--b\n\nUndelivered",
      `--b\nContent-Type: message/${type}\n`,
      type === "delivery-status"
        ? `Reporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; sian@example.org\nAction: failed\nStatus: ${status}\n`
        : "Feedback-Type: abuse\nUser-Agent: Provider/1.0\nVersion: 1\n",
      "--b--\n",
    ].join("\n"),
  );

const lastEventOf = async ({ deps }: Bench, orderId: string) => (await deps.events(orderId)).at(-1);

describe("A bounce", () => {
  test.each([
    ["5.1.1", "hard"],
    ["4.2.2", "soft"],
    ["5.7.1", "spam"],
  ])("with %s to an order's mail is recorded for it as %s", async (status, kind) => {
    const on = bench();
    const orderId = await paidOrder(on.deps);
    const address = await confirmationOf(on, orderId);
    await recordConfirmation(on.deps, orderId, "sent");
    expect(await on.receive(reportTo(on, address, status))).toEqual({ kind: "taken" });
    expect(await lastEventOf(on, orderId)).toMatchObject({
      type: "MailBounced",
      data: { template: "confirmation", kind, code: status },
    });
  });

  test("of a mail that is not known as sent yet comes again later", async () => {
    const on = bench();
    const orderId = await paidOrder(on.deps);
    await expect(on.receive(reportTo(on, await confirmationOf(on, orderId)))).rejects.toThrow("not recorded");
  });

  test.each<[string, (on: Bench, orderId: string) => Promise<string>]>([
    ["without a token", async () => "help@certificates.example"],
    [
      "with the token of another mail",
      (on, orderId) => confirmationOf(on, orderId, { messageId: "submitted.x" }),
    ],
  ])("%s says nothing", async (_, addressFor) => {
    const on = bench();
    const orderId = await paidOrder(on.deps);
    await recordConfirmation(on.deps, orderId, "sent");
    expect(await on.receive(reportTo(on, await addressFor(on, orderId)))).toEqual({ kind: "taken" });
    expect((await lastEventOf(on, orderId))?.type).toBe("ConfirmationSent");
    expect(ticketIds(on)).toEqual([]);
  });
});

test("A complaint is recorded for the mail it returns", async () => {
  const on = bench();
  const orderId = await paidOrder(on.deps);
  const address = await confirmationOf(on, orderId);
  await recordConfirmation(on.deps, orderId, "sent");
  await on.receive(reportTo(on, address, "", "feedback-report"));
  expect((await lastEventOf(on, orderId))?.data).toMatchObject({ kind: "complaint", code: "" });
});
