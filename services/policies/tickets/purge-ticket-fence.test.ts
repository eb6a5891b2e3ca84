import { describe, expect, test } from "vitest";
import { Refused } from "../../../domain/decider.ts";
import { namedTicketRecords, type Ticket } from "../../../domain/ticket/state.ts";
import { createPerformTask } from "../../../testing/services/task-fixture.ts";
import { staff, ticketRequest, writer } from "../../../testing/services/ticket-fixture.ts";
import { atEachPlace, type Interrupted, interrupted } from "../../../testing/system/interruption-fixture.ts";
import { lookIntoTicket } from "../../tickets/tickets.ts";
import { noteOnTicket, openTicket, replyToTicket } from "../../tickets/write-in-ticket.ts";

const task = "purge-ticket-1";

const ticketOf = async ({ bench }: Interrupted, ticketId: string): Promise<Ticket> =>
  (await bench.deps.tickets.load(ticketId)).ticket;

/** A ticket whose texts have reached their retention limit. */
async function closedLongAgo({ bench }: Interrupted): Promise<string> {
  const key = { scope: "open-ticket", key: "a-key-of-sixteen-letters" };
  const { ticketId } = (await openTicket(bench.deps, ticketRequest(), null, key, "a-request")).ticket;
  await noteOnTicket(bench.deps, { ticketId, text: "Rang us.", key: undefined, by: staff });
  const command = { type: "ChangeTicketStatus", data: { status: "Closed", reason: "staffChoice" } } as const;
  await bench.deps.tickets.execute({ ticketId, commandId: bench.deps.newId(), by: staff, command });
  bench.wait(365 * 86_400);
  return ticketId;
}

/** Whether the ticket accepted the command. */
async function taken(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Refused && error.rule === "ticket-purged") return false;
    throw error;
  }
}

/** Every named record can be read, and there are no others. */
async function isWhole({ bench }: Interrupted, ticket: Ticket): Promise<boolean> {
  const held = await bench.deps.vault.recordsOf(ticket.ticketId);
  const texts = held.filter(({ kind }) => kind !== "fingerprintKey").map(({ recordId }) => recordId);
  const named = namedTicketRecords(ticket).map(({ ref }) => ref);
  return named.length > 0 && texts.length === named.length && named.every((ref) => texts.includes(ref));
}

describe("A purge of a ticket, at each of its steps", () => {
  test("leaves a reopened ticket intact, or refuses the reply and purges everything", async () => {
    const outcomes = new Set<boolean>();
    await atEachPlace(async (nth) => {
      const world = interrupted();
      const { bench } = world;
      const ticketId = await closedLongAgo(world);
      let replied: boolean | undefined;
      const reply = async () => {
        const writing = { ticketId, text: "And on Sundays?", key: undefined, by: writer };
        replied = await taken(() => replyToTicket(bench.deps, writing));
      };
      const came = await world.before(nth, reply, () => bench.performNow(ticketId, task));
      const ticket = await ticketOf(world, ticketId);
      if (replied) {
        expect([ticket.phase, await isWhole(world, ticket)]).toEqual(["Open", true]);
      } else {
        expect([ticket.phase, await bench.deps.vault.recordsOf(ticketId)]).toEqual(["Purged", []]);
      }
      if (replied !== undefined) outcomes.add(replied);
      return came;
    });
    expect(outcomes).toEqual(new Set([true, false]));
  });

  test("purges nothing once the ticket was linked elsewhere, until that is checked again", async () => {
    const phases = new Set<string>();
    await atEachPlace(async (nth) => {
      const world = interrupted();
      const { bench } = world;
      const ticketId = await closedLongAgo(world);
      const link = () =>
        taken(() =>
          bench.deps.tickets.execute({
            ticketId,
            commandId: "link",
            by: staff,
            command: { type: "LinkTicketToOrder", data: { orderId: bench.deps.newId() } },
          }),
        );
      const came = await world.before(nth, link, () => bench.performNow(ticketId, task));
      const ticket = await ticketOf(world, ticketId);
      phases.add(ticket.phase);
      expect(await isWhole(world, ticket)).toBe(ticket.phase === "Closed");
      return came;
    });
    expect(phases).toEqual(new Set(["Closed", "Purged"]));
  });

  test("is finished by the next try when the process dies, and by only one of two workers", async () => {
    const isOnceOnly = async (world: Interrupted, ticketId: string) => {
      const types = (await world.bench.store.readStream(`ticket-${ticketId}`)).map(({ type }) => type);
      expect(types.slice(-2)).toEqual(["TicketPurgeStarted", "TicketPurged"]);
      expect(await world.bench.deps.vault.recordsOf(ticketId)).toEqual([]);
      expect((await ticketOf(world, ticketId)).purge.receipt).toMatchObject({
        destroyed: ["ticketContact", "ticketMessage", "ticketNote", "fingerprintKey"],
        records: 4,
      });
    };
    await atEachPlace(async (nth) => {
      const world = interrupted();
      const ticketId = await closedLongAgo(world);
      const perform = () => world.bench.performNow(ticketId, task);
      const came = await world.dyingBefore(nth, perform);
      await perform();
      await isOnceOnly(world, ticketId);
      return came;
    });
    await atEachPlace(async (nth) => {
      const world = interrupted();
      const ticketId = await closedLongAgo(world);
      const other = createPerformTask(world.bench);
      const came = await world.before(
        nth,
        () => other(ticketId, task),
        () => world.bench.performNow(ticketId, task),
      );
      await isOnceOnly(world, ticketId);
      return came;
    });
  });

  test("shows its content to staff no longer once started, and records no reveal", async () => {
    const world = interrupted();
    const { deps } = world.bench;
    const ticketId = await closedLongAgo(world);
    // No order, the ticket, the ticket once more, the start: killed at the vault.
    await world.dyingBefore(5, () => world.bench.performNow(ticketId, task));
    expect((await ticketOf(world, ticketId)).purge.open?.records).toHaveLength(3);
    const whole = await lookIntoTicket(deps, ticketId, "ticket", staff);
    expect([whole.contact, whole.messages[0]?.text, whole.notes[0]?.text]).toEqual([null, null, null]);
    expect(whole.ticket.looks).toEqual([]);
  });
});
