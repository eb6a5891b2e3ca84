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
  noSweepSeconds,
  openTestSystem,
  type TestSystem,
} from "../../../testing/system/test-system.ts";
import { createOrder } from "../../orders/create-order.ts";
import { openTicket, replyToTicket } from "../../tickets/write-in-ticket.ts";
import { tasksFollower } from "../work/work-table.ts";

const day = 86_400;

async function opened(system: TestSystem, heldOrderId: string | null = null): Promise<string> {
  const key = { scope: "open-ticket", key: system.deps.newId() };
  const request = ticketRequest({ category: "dataProtectionComplaint" });
  return (await openTicket(system.deps, request, heldOrderId, key, "a-request")).ticket.ticketId;
}

const close = (system: TestSystem, ticketId: string) =>
  system.deps.tickets.execute({
    ticketId,
    commandId: system.deps.newId(),
    by: staff,
    command: { type: "ChangeTicketStatus", data: { status: "Closed", reason: "staffChoice" } },
  });

const ticketOf = async (system: TestSystem, ticketId: string) =>
  (await system.deps.tickets.load(ticketId)).ticket;
const recordsOf = (system: TestSystem, ticketId: string) => system.deps.vault.recordsOf(ticketId);

const seeAcknowledged = (system: TestSystem, ticketId: string) =>
  vi.waitFor(async () => expect((await ticketOf(system, ticketId)).acknowledgement.state).toBe("sent"), soon);
const seePurged = (system: TestSystem, ticketId: string) =>
  vi.waitFor(async () => expect((await ticketOf(system, ticketId)).phase).toBe("Purged"), soon);

describe("Ticket policies", () => {
  it("acknowledge a complaint and announce an answer within seconds", async () => {
    await using system = await openTestSystem();
    await system.begin({ sweepEverySeconds: noSweepSeconds });
    const ticketId = await opened(system);
    await seeAcknowledged(system, ticketId);
    await replyToTicket(system.deps, { ticketId, text: "We look into it.", key: undefined, by: staff });
    const { sent } = system.around.mailer;
    await vi.waitFor(
      () => expect(sent.map(({ subject }) => subject)).toEqual(["ticketOpened", "ticketAnswered"]),
      soon,
    );
  });

  it("send outstanding mails when they start", async () => {
    await using system = await openTestSystem();
    const ticketId = await opened(system);
    await system.begin();
    await seeAcknowledged(system, ticketId);
  });

  it("purge texts a year after closing", async () => {
    await using system = await openTestSystem();
    await system.begin();
    const ticketId = await opened(system);
    await seeAcknowledged(system, ticketId);
    await close(system, ticketId);
    expect(await recordsOf(system, ticketId)).toHaveLength(3);
    system.skip(365 * day + 60);
    await seePurged(system, ticketId);
    expect(await recordsOf(system, ticketId)).toEqual([]);
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
    await using system = await openTestSystem();
    const { vault } = system.deps;
    const policies = await system.begin({ sweepEverySeconds: noSweepSeconds });
    const ticketId = await opened(system);
    // Otherwise the acknowledgement sent by the system started below is an event of that very moment.
    await seeAcknowledged(system, ticketId);
    await policies.stop();
    const named = (await recordsOf(system, ticketId)).map(({ recordId }) => recordId).sort();
    expect(named).toHaveLength(3);
    await system.pool.query("update vault_records set due_at = now() where subject = $1", [ticketId]);
    await vault.seal(stray(ticketId));
    const neverOpened = randomUUID();
    await vault.seal(stray(neverOpened));
    await followForAnHour(system);
    // Startup checks due records before all else.
    await system.begin();
    expect((await recordsOf(system, ticketId)).map(({ recordId }) => recordId).sort()).toEqual(named);
    expect(await vault.recordsOf(neverOpened)).toEqual([]);
    const later = (await recordsOf(system, ticketId)).map(({ dueAt }) => Date.parse(dueAt));
    expect(Math.min(...later)).toBeGreaterThan(Date.now() + (day - 60) * 1000);
  });

  /** A closed ticket linked to a fulfilled order whose contact data is erased. */
  async function closedBesideOrder(system: TestSystem) {
    await system.begin();
    const { orderId } = await placeAndPay(system.deps);
    const ticketId = await opened(system, orderId);
    await seeAcknowledged(system, ticketId);
    const seeOfOrder = (type: string) =>
      vi.waitFor(async () => expect(await system.eventTypes(orderId)).toContain(type), soon);
    await seeOfOrder("SensitiveDataPurged");
    const execute = (command: OrderCommand) =>
      system.deps.orders.execute({ orderId, commandId: system.deps.newId(), by: customer, command });
    await close(system, ticketId);
    const dispatchedAt = system.deps.now().toISOString();
    await execute({ type: "RecordDispatch", data: { attempt: 1, dispatchedAt } });
    await seeOfOrder("OrderFulfilled");
    const erase = async () => {
      await execute({ type: "RequestErasure", data: {} });
      await seeOfOrder("ContactDataPurged");
    };
    return { ticketId, erase };
  }

  it("are purged at once with the contact data of the linked order", async () => {
    await using system = await openTestSystem();
    const { ticketId, erase } = await closedBesideOrder(system);
    await erase();
    await seePurged(system, ticketId);
    const stored = await system.deps.tickets.load(ticketId);
    expect(stored.ticket.contactRef).toBeNull();
    expect(await recordsOf(system, ticketId)).toEqual([]);
  });

  it("do not park an erased order when its ticket cannot be read", async () => {
    await using system = await openTestSystem();
    const { ticketId, erase } = await closedBesideOrder(system);
    await changeHash(system.pool, ticketStream(ticketId), 0);
    await erase();
    const words = "a ticket could not be read when its order's data was purged";
    await vi.waitFor(() => expect(system.logLines.join("")).toContain(words), soon);
    const other = await placeAndPay(system.deps);
    await vi.waitFor(
      async () => expect(await system.eventTypes(other.orderId)).toContain("SensitiveDataPurged"),
      soon,
    );
    expect(await listParked(system.pool, [tasksFollower()], 10)).toEqual([]);
  });

  it("outlive an unpaid order (control: its own contact does not)", async () => {
    await using system = await openTestSystem();
    const { order } = await createOrder(system.deps, orderRequest(), undefined, "a-request");
    const ticketId = await opened(system, order.orderId);
    await close(system, ticketId);
    system.skip(day + 60);
    await system.begin();
    await vi.waitFor(async () => expect(await system.deps.vault.recordsOf(order.orderId)).toEqual([]), soon);
    system.skip(day + 60);
    await seeAcknowledged(system, ticketId);
    expect(await recordsOf(system, ticketId)).toHaveLength(3);
  });
});
