import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { OrderCommand } from "../../../domain/order/commands.ts";
import { ticketStream } from "../../../domain/ticket/events.ts";
import { listParked } from "../../../infra/following/parked-streams.ts";
import { changeHash } from "../../../testing/event-store/tampering-fixture.ts";
import { staff, ticketRequest } from "../../../testing/services/ticket-fixture.ts";
import { customer, orderRequest } from "../../../testing/services/use-case-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { placeAndPay } from "../../../testing/system/orders-fixture.ts";
import {
  followForAnHour,
  type House,
  noSweepSeconds,
  openHouse,
} from "../../../testing/system/test-system.ts";
import { createOrder } from "../../orders/create-order.ts";
import { openTicket } from "../../tickets/open-ticket.ts";
import { replyToTicket } from "../../tickets/write-in-ticket.ts";
import { dutiesFollower } from "../tasks/task-list.ts";

const day = 86_400;

async function opened(house: House, heldOrderId: string | null = null): Promise<string> {
  const key = { scope: "open-ticket", key: house.desk.newId() };
  const request = ticketRequest({ category: "dataProtectionComplaint" });
  return (await openTicket(house.desk, request, heldOrderId, key, "a-request")).ticket.ticketId;
}

const close = (house: House, ticketId: string) =>
  house.desk.tickets.tell({
    ticketId,
    commandId: house.desk.newId(),
    by: staff,
    command: { type: "ChangeTicketStatus", data: { status: "Closed", reason: "staffChoice" } },
  });

const ticketOf = async (house: House, ticketId: string) => (await house.desk.tickets.load(ticketId)).ticket;
const recordsOf = (house: House, ticketId: string) => house.desk.vault.recordsOf(ticketId);

const seeAcknowledged = (house: House, ticketId: string) =>
  vi.waitFor(async () => expect((await ticketOf(house, ticketId)).acknowledgement.state).toBe("sent"), soon);
const seePurged = (house: House, ticketId: string) =>
  vi.waitFor(async () => expect((await ticketOf(house, ticketId)).phase).toBe("Purged"), soon);

describe("Ticket policies", () => {
  it("acknowledge a complaint and announce an answer within seconds", async () => {
    await using house = await openHouse();
    await house.begin({ sweepEverySeconds: noSweepSeconds });
    const ticketId = await opened(house);
    await seeAcknowledged(house, ticketId);
    await replyToTicket(house.desk, { ticketId, text: "We look into it.", key: undefined, by: staff });
    const { sent } = house.around.mailer;
    await vi.waitFor(
      () => expect(sent.map(({ subject }) => subject)).toEqual(["ticketOpened", "ticketAnswered"]),
      soon,
    );
  });

  it("send outstanding mails when they start", async () => {
    await using house = await openHouse();
    const ticketId = await opened(house);
    await house.begin();
    await seeAcknowledged(house, ticketId);
  });

  it("purge texts a year after closing", async () => {
    await using house = await openHouse();
    await house.begin();
    const ticketId = await opened(house);
    await seeAcknowledged(house, ticketId);
    await close(house, ticketId);
    expect(await recordsOf(house, ticketId)).toHaveLength(3);
    house.skip(365 * day + 60);
    await seePurged(house, ticketId);
    expect(await recordsOf(house, ticketId)).toEqual([]);
  });
});

describe("Due sealed records of a ticket", () => {
  const stray = (subject: string) => ({
    recordId: randomUUID(),
    subject,
    dataClass: "contact" as const,
    kind: "ticketMessage" as const,
    schemaVersion: 1,
    body: { text: "Never sent" },
    dueAt: new Date().toISOString(),
  });

  it("are kept while the ticket names them, and erased if no event does", async () => {
    await using house = await openHouse();
    const { vault } = house.desk;
    const policies = await house.begin({ sweepEverySeconds: noSweepSeconds });
    const ticketId = await opened(house);
    // Otherwise the acknowledgement sent by the system started below is an event of that very moment.
    await seeAcknowledged(house, ticketId);
    await policies.stop();
    const named = (await recordsOf(house, ticketId)).map(({ recordId }) => recordId).sort();
    expect(named).toHaveLength(3);
    await house.pool.query("update vault_records set due_at = now() where subject = $1", [ticketId]);
    await vault.seal(stray(ticketId));
    const neverOpened = randomUUID();
    await vault.seal(stray(neverOpened));
    await followForAnHour(house);
    // Startup checks due records before all else.
    await house.begin();
    expect((await recordsOf(house, ticketId)).map(({ recordId }) => recordId).sort()).toEqual(named);
    expect(await vault.recordsOf(neverOpened)).toEqual([]);
    const later = (await recordsOf(house, ticketId)).map(({ dueAt }) => Date.parse(dueAt));
    expect(Math.min(...later)).toBeGreaterThan(Date.now() + (day - 60) * 1000);
  });

  /** A closed ticket linked to a fulfilled order whose contact data is erased. */
  async function closedBesideOrder(house: House) {
    await house.begin();
    const { orderId } = await placeAndPay(house.desk);
    const ticketId = await opened(house, orderId);
    await seeAcknowledged(house, ticketId);
    const seeOfOrder = (type: string) =>
      vi.waitFor(async () => expect(await house.eventTypes(orderId)).toContain(type), soon);
    await seeOfOrder("SensitiveDataPurged");
    const tell = (command: OrderCommand) =>
      house.desk.orders.tell({ orderId, commandId: house.desk.newId(), by: customer, command });
    await close(house, ticketId);
    const dispatchedAt = house.desk.now().toISOString();
    await tell({ type: "RecordDispatch", data: { attempt: 1, dispatchedAt } });
    await seeOfOrder("OrderFulfilled");
    const erase = async () => {
      await tell({ type: "RequestErasure", data: {} });
      await seeOfOrder("ContactDataPurged");
    };
    return { ticketId, erase };
  }

  it("are purged at once with the contact data of the linked order", async () => {
    await using house = await openHouse();
    const { ticketId, erase } = await closedBesideOrder(house);
    await erase();
    await seePurged(house, ticketId);
    const stored = await house.desk.tickets.load(ticketId);
    expect(stored.ticket.contactRef).toBeNull();
    expect(await recordsOf(house, ticketId)).toEqual([]);
  });

  it("do not park an erased order when its ticket cannot be read", async () => {
    await using house = await openHouse();
    const { ticketId, erase } = await closedBesideOrder(house);
    await changeHash(house.pool, ticketStream(ticketId), 0);
    await erase();
    const words = "a ticket could not be read when its order's data was purged";
    await vi.waitFor(() => expect(house.logLines.join("")).toContain(words), soon);
    const other = await placeAndPay(house.desk);
    await vi.waitFor(
      async () => expect(await house.eventTypes(other.orderId)).toContain("SensitiveDataPurged"),
      soon,
    );
    expect(await listParked(house.pool, [dutiesFollower()], 10)).toEqual([]);
  });

  it("outlive an unpaid order (control: its own contact does not)", async () => {
    await using house = await openHouse();
    const { order } = await createOrder(house.desk, orderRequest(), undefined, "a-request");
    const ticketId = await opened(house, order.orderId);
    await close(house, ticketId);
    house.skip(day + 60);
    await house.begin();
    await vi.waitFor(async () => expect(await house.desk.vault.recordsOf(order.orderId)).toEqual([]), soon);
    house.skip(day + 60);
    await seeAcknowledged(house, ticketId);
    expect(await recordsOf(house, ticketId)).toHaveLength(3);
  });
});
