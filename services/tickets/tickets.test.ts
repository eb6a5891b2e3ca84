import { describe, expect, test } from "vitest";
import { ticketContactRecord, ticketTextRecord } from "../../domain/ticket/held-texts.ts";
import type { Ticket } from "../../domain/ticket/state.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import { lookupOf } from "../../projections/tickets/ticket-lookup.ts";
import { staff, ticketRequest, writer } from "../../testing/services/ticket-fixture.ts";
import {
  Crash,
  failingAppends,
  type TestDependencies,
  testDependencies,
} from "../../testing/services/use-case-fixture.ts";
import { openConversation } from "./tickets.ts";
import { noteOnTicket, openTicket, replyToTicket } from "./write-in-ticket.ts";

const key = { scope: "open-ticket", key: "a-key-of-sixteen-letters" };
const replyKey = { scope: "ticket-reply", key: "a-key-of-sixteen-letters" };

const open = (deps: TestDependencies, changes: Record<string, unknown> = {}) =>
  openTicket(deps, ticketRequest(changes), null, key, "a-request");

const textsOf = async (deps: TestDependencies, ticket: Ticket): Promise<string[]> =>
  (await openConversation(deps.vault, lookupOf(ticket))).messages.map(({ text }) => text);

const kindsIn = (deps: TestDependencies, subject: string): string[] =>
  [...deps.vault.records.values()]
    .filter((record) => record.subject === subject)
    .map(({ kind }) => kind)
    .sort();

describe("Opening a ticket", () => {
  test("seals who wrote and what before it appends, all of the contact class", async () => {
    const deps = testDependencies();
    const { ticket } = await open(deps);
    expect(kindsIn(deps, ticket.ticketId)).toEqual(["fingerprintKey", "ticketContact", "ticketMessage"]);
    expect([...deps.vault.records.values()].map(({ dataClass }) => dataClass)).toEqual([
      "contact",
      "contact",
      "contact",
    ]);
    expect(await textsOf(deps, ticket)).toEqual(["Do certificates arrive on Saturdays?"]);
  });

  test("keeps no key to compare repeats with where none can come", async () => {
    const deps = testDependencies();
    const { ticket } = await openTicket(deps, ticketRequest(), null, undefined, "a-request");
    expect(kindsIn(deps, ticket.ticketId)).toEqual(["ticketContact", "ticketMessage"]);
  });

  test("gives numbers that tell nothing of each other or of the ticket's id", async () => {
    const deps = testDependencies();
    const opened = await Promise.all(
      Array.from({ length: 20 }, () => openTicket(deps, ticketRequest(), null, undefined, "a-request")),
    );
    expect(new Set(opened.map(({ ticket }) => ticket.ticketNumber)).size).toBe(20);
    expect(new Set(opened.map(({ ticket }) => ticket.ticketId)).size).toBe(20);
  });

  test("twenty times at once with one key opens one ticket", async () => {
    const deps = testDependencies();
    const opened = await Promise.all(Array.from({ length: 20 }, () => open(deps)));
    expect(new Set(opened.map(({ ticket }) => ticket.ticketId)).size).toBe(1);
    const [first] = opened;
    expect(first && (await deps.tickets.load(first.ticket.ticketId)).ticket.messages).toHaveLength(1);
  });

  test("after a crash between sealing and appending names what was typed the second time", async () => {
    let broken = true;
    const deps = testDependencies(failingAppends(() => broken));
    await expect(open(deps, { message: "First try" })).rejects.toThrow(Crash);
    broken = false;
    const { ticket } = await open(deps, { message: "Second try" });
    expect(await textsOf(deps, ticket)).toEqual(["Second try"]);
  });

  test("with another body under the same key is refused", async () => {
    const deps = testDependencies();
    await open(deps);
    await expect(open(deps, { subject: "Another" })).rejects.toThrow(CommandReused);
  });
});

describe("Writing in a ticket", () => {
  test("twice with one key writes once, and seals nothing that no event names", async () => {
    const deps = testDependencies();
    const { ticketId } = (await open(deps)).ticket;
    const writing = { ticketId, text: "Please hurry", key: replyKey, by: writer };
    await replyToTicket(deps, writing);
    const { ticket } = await replyToTicket(deps, writing);
    expect(await textsOf(deps, ticket)).toEqual(["Do certificates arrive on Saturdays?", "Please hurry"]);
    expect(kindsIn(deps, ticketId)).toEqual([
      "fingerprintKey",
      "ticketContact",
      "ticketMessage",
      "ticketMessage",
    ]);
  });

  test("shows staff no key of a link", async () => {
    const deps = testDependencies();
    const link = "https://copies.example/lookup?order=AB12#key=";
    const { ticketId } = (await open(deps, { subject: `${link}abc.def`, message: `${link}abc.def!` })).ticket;
    const text = `Mine is ${link}abc.def.`;
    const { ticket } = await replyToTicket(deps, { ticketId, text, key: replyKey, by: writer });
    const { subject } = await deps.vault.open(ticket.contactRef ?? "", ticketContactRecord);
    expect([subject, ...(await textsOf(deps, ticket))]).toEqual([
      `${link}…`,
      `${link}…!`,
      `Mine is ${link}…`,
    ]);
  });

  test("a note seals it as one, and shows it to no customer", async () => {
    const deps = testDependencies();
    const { ticketId } = (await open(deps)).ticket;
    const { ticket } = await noteOnTicket(deps, { ticketId, text: "Rang us.", key: undefined, by: staff });
    expect(await textsOf(deps, ticket)).toEqual(["Do certificates arrive on Saturdays?"]);
    const [note] = ticket.notes;
    expect(note?.staffId).toBe("staff_1");
    expect(await deps.vault.open(note?.ref ?? "", ticketTextRecord)).toMatchObject({ text: "Rang us." });
    expect(kindsIn(deps, ticketId)).toContain("ticketNote");
  });

  test("in a ticket that is not there seals nothing", async () => {
    const deps = testDependencies();
    const writing = { ticketId: deps.newId(), text: "Hello?", key: replyKey, by: writer };
    await expect(replyToTicket(deps, writing)).rejects.toThrow(
      expect.objectContaining({ code: "unknown-ticket" }),
    );
    expect(deps.vault.records.size).toBe(0);
  });
});

describe("A conversation", () => {
  test("leaves out what is destroyed before the read model knows", async () => {
    const deps = testDependencies();
    const { ticket } = await open(deps);
    await deps.vault.destroy([ticket.contactRef ?? "", ticket.messages[0]?.ref ?? ""]);
    expect(await openConversation(deps.vault, lookupOf(ticket))).toEqual({ subject: null, messages: [] });
  });
});
