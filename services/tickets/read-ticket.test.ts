import { describe, expect, test } from "vitest";
import { purgeTicketNow, staff, ticketRequest } from "../../testing/services/ticket-fixture.ts";
import { Crash, failingAppends, type TestDesk, testDesk } from "../../testing/services/use-case-fixture.ts";
import { openTicket } from "./open-ticket.ts";
import { lookIntoTicket } from "./read-ticket.ts";
import { noteOnTicket } from "./write-in-ticket.ts";

const opened = async (desk: TestDesk): Promise<string> =>
  (await openTicket(desk, ticketRequest(), null, undefined, "a-request")).ticket.ticketId;

const look = (desk: TestDesk, ticketId: string) => lookIntoTicket(desk, ticketId, "ticket", staff);

/** The desk with a vault that notes what was opened. */
function watched(desk: TestDesk) {
  const records: string[] = [];
  const vault: TestDesk["vault"] = {
    ...desk.vault,
    open: (recordId, schema) => {
      records.push(recordId);
      return desk.vault.open(recordId, schema);
    },
  };
  return { desk: { ...desk, vault }, records };
}

describe("Looking into a ticket", () => {
  test("opens who wrote, every message and every note", async () => {
    const desk = testDesk();
    const ticketId = await opened(desk);
    await noteOnTicket(desk, { ticketId, text: "Rang us.", key: undefined, by: staff });
    const whole = await look(desk, ticketId);
    expect(whole.contact).toEqual({
      name: "Siân Rhys",
      email: "sian.rhys@post.example",
      subject: "Weekend post",
    });
    expect(whole.messages.map(({ text }) => text)).toEqual(["Do certificates arrive on Saturdays?"]);
    expect(whole.notes.map(({ text }) => text)).toEqual(["Rang us."]);
  });

  test("twice in one look is told once", async () => {
    const desk = testDesk();
    const ticketId = await opened(desk);
    await look(desk, ticketId);
    await look(desk, ticketId);
    const types = (await desk.tickets.history(ticketId)).map(({ event }) => event.type);
    expect(types).toEqual(["TicketOpened", "PersonalDataRevealed"]);
  });

  test("opens nothing unless the look is in the log (control: with a log it opens)", async () => {
    let broken = false;
    const { desk, records } = watched(testDesk(failingAppends(() => broken)));
    const ticketId = await opened(desk);
    broken = true;
    await expect(look(desk, ticketId)).rejects.toThrow(Crash);
    expect(records).toEqual([]);
    broken = false;
    await look(desk, ticketId);
    expect(records.length).toBeGreaterThan(0);
  });

  test("that was destroyed is no look, and shows that nothing is left", async () => {
    const desk = testDesk();
    const ticketId = await opened(desk);
    await purgeTicketNow(desk, ticketId);
    const whole = await look(desk, ticketId);
    expect([whole.contact, whole.messages.map(({ text }) => text)]).toEqual([null, [null]]);
    expect(whole.ticket.looks).toEqual([]);
  });
});
