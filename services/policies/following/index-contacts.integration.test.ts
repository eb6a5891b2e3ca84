import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { TicketCommand } from "../../../domain/ticket/commands.ts";
import { openKeyRing } from "../../../infra/key-ring/file-key-ring.ts";
import { ticketRequest } from "../../../testing/services/ticket-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { placeAndPay, placeOrder } from "../../../testing/system/orders-fixture.ts";
import { noSweepSeconds, openTestSystem, type TestSystem } from "../../../testing/system/test-system.ts";
import { correctContact } from "../../orders/correct-contact.ts";
import { openTicket } from "../../tickets/write-in-ticket.ts";
import { createBlindIndex } from "../../vault/blind-index.ts";

const day = 86_400;

const someEmail = () => `${randomUUID()}@mail.example`;

async function finderOf(system: TestSystem) {
  const { now } = system.deps;
  const keyRing = await openKeyRing({ directory: system.around.keyDir, now });
  return createBlindIndex({ pool: system.pool, keyRing, now });
}

async function found(system: TestSystem, email: string) {
  return (await (await finderOf(system)).find("email", email, 10)).subjects;
}

const seeFound = (system: TestSystem, email: string, subjects: Awaited<ReturnType<typeof found>>) =>
  vi.waitFor(async () => expect(await found(system, email)).toEqual(subjects), soon);

const rows = async (system: TestSystem, subject: string) =>
  (await system.pool.query("select from blind_index where subject = $1", [subject])).rowCount;

describe("The blind index", () => {
  it("finds customers once they have paid, not before", async () => {
    await using system = await openTestSystem();
    await system.begin({ sweepEverySeconds: noSweepSeconds });
    const [paid, unpaid] = [someEmail(), someEmail()];
    await placeOrder(system.deps, { email: unpaid });
    const { orderId } = await placeAndPay(system.deps, { email: paid });
    await seeFound(system, paid, [{ kind: "order", id: orderId }]);
    expect(await found(system, unpaid)).toEqual([]);
  });

  it("finds people once they have opened a ticket", async () => {
    await using system = await openTestSystem();
    await system.begin({ sweepEverySeconds: noSweepSeconds });
    const email = someEmail();
    const { ticket } = await openTicket(system.deps, ticketRequest({ email }), null, undefined, "a-request");
    await seeFound(system, email, [{ kind: "ticket", id: ticket.ticketId }]);
  });

  it("finds a corrected address, and no longer the previous one", async () => {
    await using system = await openTestSystem();
    await system.begin();
    const [wrong, right] = [someEmail(), someEmail()];
    const { orderId } = await placeAndPay(system.deps, { email: wrong });
    await seeFound(system, wrong, [{ kind: "order", id: orderId }]);
    await correctContact(system.deps, orderId, { email: right }, undefined, customer);
    await seeFound(system, right, [{ kind: "order", id: orderId }]);
    await seeFound(system, wrong, []);
  });

  it("is rebuilt after the next start, or within a day, if it is lost", async () => {
    await using system = await openTestSystem();
    const policies = await system.begin();
    const email = someEmail();
    const { orderId } = await placeAndPay(system.deps, { email });
    const order = [{ kind: "order" as const, id: orderId }];
    await seeFound(system, email, order);
    await system.pool.query("delete from blind_index");
    await policies.stop();
    expect(await found(system, email)).toEqual([]);
    await system.begin();
    await seeFound(system, email, order);
    await system.pool.query("delete from blind_index");
    // Control: nothing restores it before the sweep has checked the record.
    expect(await found(system, email)).toEqual([]);
    system.skip(day);
    await seeFound(system, email, order);
  });

  it("finds everyone except a person whose record cannot be read", async () => {
    await using system = await openTestSystem();
    const unreadable = await placeAndPay(system.deps, { email: someEmail() });
    const broken = "update vault_records set ciphertext = '\\x00' where subject = $1 and kind = 'contact'";
    await system.pool.query(broken, [unreadable.orderId]);
    const email = someEmail();
    const { orderId } = await placeAndPay(system.deps, { email });
    await system.begin({ sweepEverySeconds: noSweepSeconds });
    await seeFound(system, email, [{ kind: "order", id: orderId }]);
    await vi.waitFor(
      () => expect(system.logLines.join("")).toContain("a contact could not be indexed"),
      soon,
    );
    expect(system.logLines.join("")).not.toContain("@mail.example");
  });

  it("finds everyone except a person who cannot be added to it", async () => {
    await using system = await openTestSystem();
    const [before, refused, after] = [someEmail(), someEmail(), someEmail()];
    const first = await placeAndPay(system.deps, { email: before });
    const { orderId } = await placeAndPay(system.deps, { email: refused });
    const last = await placeAndPay(system.deps, { email: after });
    await system.pool.query(`alter table blind_index add check (subject <> '${orderId}')`);
    await system.begin({ sweepEverySeconds: noSweepSeconds });
    await seeFound(system, before, [{ kind: "order", id: first.orderId }]);
    await seeFound(system, after, [{ kind: "order", id: last.orderId }]);
    await vi.waitFor(
      () => expect(system.logLines.filter((line) => line.includes("could not be indexed"))).toHaveLength(1),
      soon,
    );
    expect(await found(system, refused)).toEqual([]);
  });
});

it("forgets a person who asked for erasure once their ticket is closed and its mail sent, a year early", async () => {
  await using system = await openTestSystem();
  await system.begin();
  const email = someEmail();
  const { ticket } = await openTicket(system.deps, ticketRequest({ email }), null, undefined, "a-request");
  await seeFound(system, email, [{ kind: "ticket", id: ticket.ticketId }]);
  const by = { actor: { kind: "staff", id: "staff_1" }, correlationId: "a-request" } as const;
  const execute = (command: TicketCommand) =>
    system.deps.tickets.execute({ ticketId: ticket.ticketId, commandId: command.type, by, command });
  await execute({ type: "RequestErasure", data: {} });
  const load = async () => (await system.deps.tickets.load(ticket.ticketId)).ticket;
  await vi.waitFor(async () => expect((await load()).mails.owed).toEqual([]), soon);
  expect((await load()).phase).toBe("Open");
  await execute({ type: "ChangeTicketStatus", data: { status: "Closed", reason: "staffChoice" } });
  await vi.waitFor(async () => expect((await load()).purge.receipt?.rule).toBe("erasure"), soon);
  expect(await found(system, email)).toEqual([]);
  expect(await system.deps.vault.recordsOf(ticket.ticketId)).toEqual([]);
});

it("forgets people with their contact data, and the month's key with its last record", async () => {
  await using system = await openTestSystem();
  const policies = await system.begin();
  const email = someEmail();
  const { ticket } = await openTicket(system.deps, ticketRequest({ email }), null, undefined, "a-request");
  await seeFound(system, email, [{ kind: "ticket", id: ticket.ticketId }]);
  const command = { type: "ChangeTicketStatus", data: { status: "Closed", reason: "staffChoice" } } as const;
  const by = { actor: { kind: "staff", id: "staff_1" }, correlationId: "a-request" } as const;
  await system.deps.tickets.execute({ ticketId: ticket.ticketId, commandId: "close", by, command });
  const keys = "select from index_keys where destroyed_at is null";
  expect((await system.pool.query(keys)).rowCount).toBe(1);
  system.skip(366 * day);
  await vi.waitFor(async () => expect(await rows(system, ticket.ticketId)).toBe(0), soon);
  await policies.stop();
  system.skip(day);
  await system.begin();
  await vi.waitFor(async () => expect((await system.pool.query(keys)).rowCount).toBe(0), soon);
  expect(await found(system, email)).toEqual([]);
});
