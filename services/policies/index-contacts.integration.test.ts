import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { TicketCommand } from "../../domain/ticket/commands.ts";
import { openKeyRing } from "../../infra/key-ring/file-key-ring.ts";
import { ticketRequest } from "../../testing/services/ticket-fixture.ts";
import { customer } from "../../testing/services/use-case-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndPay, placeOrder } from "../../testing/system/orders-fixture.ts";
import { type House, noSweepSeconds, openHouse } from "../../testing/system/test-system.ts";
import { correctContact } from "../orders/correct-contact.ts";
import { openTicket } from "../tickets/open-ticket.ts";
import { createBlindIndex } from "../vault/blind-index.ts";

const day = 86_400;

const someEmail = () => `${randomUUID()}@mail.example`;

async function finderOf(house: House) {
  const { now } = house.desk;
  const keyRing = await openKeyRing({ directory: house.around.keyDir, now });
  return createBlindIndex({ pool: house.pool, keyRing, now });
}

async function found(house: House, email: string) {
  return (await (await finderOf(house)).find("email", email, 10)).subjects;
}

const seeFound = (house: House, email: string, subjects: Awaited<ReturnType<typeof found>>) =>
  vi.waitFor(async () => expect(await found(house, email)).toEqual(subjects), soon);

const rows = async (house: House, subject: string) =>
  (await house.pool.query("select from blind_index where subject = $1", [subject])).rowCount;

describe("The blind index", () => {
  it("finds customers once they have paid, not before", async () => {
    await using house = await openHouse();
    await house.begin({ sweepEverySeconds: noSweepSeconds });
    const [paid, unpaid] = [someEmail(), someEmail()];
    await placeOrder(house.desk, { email: unpaid });
    const { orderId } = await placeAndPay(house.desk, { email: paid });
    await seeFound(house, paid, [{ kind: "order", id: orderId }]);
    expect(await found(house, unpaid)).toEqual([]);
  });

  it("finds people once they have opened a ticket", async () => {
    await using house = await openHouse();
    await house.begin({ sweepEverySeconds: noSweepSeconds });
    const email = someEmail();
    const { ticket } = await openTicket(house.desk, ticketRequest({ email }), null, undefined, "a-request");
    await seeFound(house, email, [{ kind: "ticket", id: ticket.ticketId }]);
  });

  it("finds a corrected address, and no longer the previous one", async () => {
    await using house = await openHouse();
    await house.begin();
    const [wrong, right] = [someEmail(), someEmail()];
    const { orderId } = await placeAndPay(house.desk, { email: wrong });
    await seeFound(house, wrong, [{ kind: "order", id: orderId }]);
    await correctContact(house.desk, orderId, { email: right }, undefined, customer);
    await seeFound(house, right, [{ kind: "order", id: orderId }]);
    await seeFound(house, wrong, []);
  });

  it("is rebuilt after the next start, or within a day, if it is lost", async () => {
    await using house = await openHouse();
    const policies = await house.begin();
    const email = someEmail();
    const { orderId } = await placeAndPay(house.desk, { email });
    const order = [{ kind: "order" as const, id: orderId }];
    await seeFound(house, email, order);
    await house.pool.query("delete from blind_index");
    await policies.stop();
    expect(await found(house, email)).toEqual([]);
    await house.begin();
    await seeFound(house, email, order);
    await house.pool.query("delete from blind_index");
    // Control: nothing restores it before the sweep has checked the record.
    expect(await found(house, email)).toEqual([]);
    house.skip(day);
    await seeFound(house, email, order);
  });

  it("finds everyone except a person whose record cannot be read", async () => {
    await using house = await openHouse();
    const unreadable = await placeAndPay(house.desk, { email: someEmail() });
    const broken = "update vault_records set ciphertext = '\\x00' where subject = $1 and kind = 'contact'";
    await house.pool.query(broken, [unreadable.orderId]);
    const email = someEmail();
    const { orderId } = await placeAndPay(house.desk, { email });
    await house.begin({ sweepEverySeconds: noSweepSeconds });
    await seeFound(house, email, [{ kind: "order", id: orderId }]);
    expect(house.logLines.join("")).toContain("a contact could not be indexed");
    expect(house.logLines.join("")).not.toContain("@mail.example");
  });
});

it("forgets a person who asked for erasure once their ticket is closed and its mail sent, a year early", async () => {
  await using house = await openHouse();
  await house.begin();
  const email = someEmail();
  const { ticket } = await openTicket(house.desk, ticketRequest({ email }), null, undefined, "a-request");
  await seeFound(house, email, [{ kind: "ticket", id: ticket.ticketId }]);
  const by = { actor: { kind: "staff", id: "staff_1" }, correlationId: "a-request" } as const;
  const tell = (command: TicketCommand) =>
    house.desk.tickets.tell({ ticketId: ticket.ticketId, commandId: command.type, by, command });
  await tell({ type: "RequestErasure", data: {} });
  const load = async () => (await house.desk.tickets.load(ticket.ticketId)).ticket;
  await vi.waitFor(async () => expect((await load()).mails.owed).toEqual([]), soon);
  expect((await load()).phase).toBe("Open");
  await tell({ type: "ChangeTicketStatus", data: { status: "Closed", reason: "staffChoice" } });
  await vi.waitFor(async () => expect((await load()).purge.receipt?.rule).toBe("erasure"), soon);
  expect(await found(house, email)).toEqual([]);
  expect(await house.desk.vault.recordsOf(ticket.ticketId)).toEqual([]);
});

it("forgets people with their contact data, and the month's key with its last record", async () => {
  await using house = await openHouse();
  const policies = await house.begin();
  const email = someEmail();
  const { ticket } = await openTicket(house.desk, ticketRequest({ email }), null, undefined, "a-request");
  await seeFound(house, email, [{ kind: "ticket", id: ticket.ticketId }]);
  const command = { type: "ChangeTicketStatus", data: { status: "Closed", reason: "staffChoice" } } as const;
  const by = { actor: { kind: "staff", id: "staff_1" }, correlationId: "a-request" } as const;
  await house.desk.tickets.tell({ ticketId: ticket.ticketId, commandId: "close", by, command });
  const keys = "select from index_keys where destroyed_at is null";
  expect((await house.pool.query(keys)).rowCount).toBe(1);
  house.skip(366 * day);
  await vi.waitFor(async () => expect(await rows(house, ticket.ticketId)).toBe(0), soon);
  await policies.stop();
  house.skip(day);
  await house.begin();
  await vi.waitFor(async () => expect((await house.pool.query(keys)).rowCount).toBe(0), soon);
  expect(await found(house, email)).toEqual([]);
});
