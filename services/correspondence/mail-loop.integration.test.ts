import { createSecretKey } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { ticketOwed } from "../../domain/ticket/owed.ts";
import { createPerformTask, createTaskBench, testSettings } from "../../testing/services/task-fixture.ts";
import { ticketRequest } from "../../testing/services/ticket-fixture.ts";
import { composeTicketMails } from "../documents/mail/compose-ticket-mails.ts";
import { createMailReader } from "../providers/mail-in/mail-reader.ts";
import { createSmtpListener } from "../providers/mail-in/smtp-listener.ts";
import type { Mailer } from "../providers/smtp/mailer.ts";
import { createSmtpMailer } from "../providers/smtp/smtp-mailer.ts";
import { openTicket } from "../tickets/write-in-ticket.ts";
import { createMailReceiver } from "./receive-mail.ts";
import { createReturnAddresses } from "./return-address.ts";

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.stop()));
});

/** A product that takes mail in at `address`, and whose customers' mail server is another product. */
async function product(address: string) {
  const bench = createTaskBench();
  const key = createSecretKey(Buffer.alloc(32, 7));
  const keys = { current: () => key, accepted: () => [key] };
  const addresses = createReturnAddresses({ address, keys, now: bench.now });
  const listener = createSmtpListener({
    ...{ protocol: "smtp", host: "127.0.0.1", port: 0 },
    mailboxOf: addresses.mailboxOf,
    watch: { taken: () => undefined, refused: () => undefined },
    log: bench.log,
  });
  const tickets = new Set<string>();
  const receive = createMailReceiver({
    deps: bench.deps,
    addresses,
    reader: createMailReader({ authServer: undefined, scanner: undefined }),
    unverified: { count: async () => 0, usedUpForMs: async () => 0 },
  });
  let came = 0;
  await listener.start(async (mail) => {
    came += 1;
    const reception = await receive(mail);
    const known = [...bench.deps.vault.records.values()];
    for (const { kind, subject } of known) if (kind === "ticketContact") tickets.add(subject);
    return reception;
  });
  opened.push(listener);
  const ticketMails = composeTicketMails({
    company: () => ({
      ...{ tradingName: "Kith & Copy", supportEmail: address, postalAddress: "Nottingham, NG1" },
      ...{ companyName: "Kith and Copy Ltd", companyNumber: "01234567", vatNumber: "" },
      ...{ registeredIn: "England and Wales", registeredOffice: "", telephone: "" },
      ...{ telephoneHours: "", replyWorkingDays: "1" },
    }),
    linkTo: (ticketId) => `https://copies.example/support/view#key=${ticketId}`,
    returnTo: addresses.for,
  });
  return {
    came: () => came,
    port: () => listener.listening?.port ?? 0,
    /** A person asks it to answer to an address. */
    hearFrom: async (email: string) => {
      const { ticket } = await openTicket(bench.deps, ticketRequest({ email }), null, undefined, "a-request");
      tickets.add(ticket.ticketId);
    },
    /** Sends all that is owed. @returns how many mails left */
    async send(port: number): Promise<number> {
      const mailer: Mailer = createSmtpMailer({
        ...{ host: "127.0.0.1", port, tls: "none" },
        from: () => ({ name: "Kith & Copy", address }),
      });
      const perform = createPerformTask({ ...bench, mailer, ticketMails });
      let sent = 0;
      for (const ticketId of tickets) {
        const { ticket } = await bench.deps.tickets.load(ticketId);
        for (const { kind, name } of ticketOwed(ticket, undefined, testSettings)) {
          if (kind !== "mail") continue;
          expect(await perform(ticketId, name)).toBeUndefined();
          sent += 1;
        }
      }
      await mailer.close();
      return sent;
    },
  };
}

test("Two products that write to each other stop after one mail", async () => {
  const [one, other] = [await product("help@one.example"), await product("help@other.example")];
  // Somebody gives the other product's address as their own.
  await one.hearFrom("help@other.example");
  const sent: number[][] = [];
  for (let round = 0; round < 3; round += 1)
    sent.push([await one.send(other.port()), await other.send(one.port())]);
  expect(sent).toEqual([
    [1, 0],
    [0, 0],
    [0, 0],
  ]);
  expect([one.came(), other.came()]).toEqual([0, 1]);
});

test("A product that is its own customer stops after one mail", async () => {
  const one = await product("help@one.example");
  await one.hearFrom("help@one.example");
  expect([await one.send(one.port()), await one.send(one.port())]).toEqual([1, 0]);
  expect(one.came()).toBe(1);
});
