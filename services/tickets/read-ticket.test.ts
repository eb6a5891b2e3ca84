import { describe, expect, test } from "vitest";
import { purgeTicketNow, staff, ticketRequest } from "../../testing/services/ticket-fixture.ts";
import {
  Crash,
  failingAppends,
  type TestDependencies,
  testDependencies,
} from "../../testing/services/use-case-fixture.ts";
import { lookIntoTicket } from "./tickets.ts";
import { noteOnTicket, openTicket } from "./write-in-ticket.ts";

const opened = async (deps: TestDependencies): Promise<string> =>
  (await openTicket(deps, ticketRequest(), null, undefined, "a-request")).ticket.ticketId;

const look = (deps: TestDependencies, ticketId: string) => lookIntoTicket(deps, ticketId, "ticket", staff);

/** The desk with a vault that notes what was opened. */
function watched(deps: TestDependencies) {
  const records: string[] = [];
  const vault: TestDependencies["vault"] = {
    ...deps.vault,
    open: (recordId, schema) => {
      records.push(recordId);
      return deps.vault.open(recordId, schema);
    },
  };
  return { deps: { ...deps, vault }, records };
}

describe("Looking into a ticket", () => {
  test("opens who wrote, every message and every note", async () => {
    const deps = testDependencies();
    const ticketId = await opened(deps);
    await noteOnTicket(deps, { ticketId, text: "Rang us.", key: undefined, by: staff });
    const whole = await look(deps, ticketId);
    expect(whole.contact).toEqual({
      name: "Siân Rhys",
      email: "sian.rhys@post.example",
      subject: "Weekend post",
    });
    expect(whole.messages.map(({ text }) => text)).toEqual(["Do certificates arrive on Saturdays?"]);
    expect(whole.notes.map(({ text }) => text)).toEqual(["Rang us."]);
  });

  test("twice in one look is recorded once", async () => {
    const deps = testDependencies();
    const ticketId = await opened(deps);
    await look(deps, ticketId);
    await look(deps, ticketId);
    const types = (await deps.tickets.history(ticketId)).map(({ event }) => event.type);
    expect(types).toEqual(["TicketOpened", "PersonalDataRevealed"]);
  });

  test("opens nothing unless the look is in the log (control: with a log it opens)", async () => {
    let broken = false;
    const { deps, records } = watched(testDependencies(failingAppends(() => broken)));
    const ticketId = await opened(deps);
    broken = true;
    await expect(look(deps, ticketId)).rejects.toThrow(Crash);
    expect(records).toEqual([]);
    broken = false;
    await look(deps, ticketId);
    expect(records.length).toBeGreaterThan(0);
  });

  test("that was destroyed is no look, and shows that nothing is left", async () => {
    const deps = testDependencies();
    const ticketId = await opened(deps);
    await purgeTicketNow(deps, ticketId);
    const whole = await look(deps, ticketId);
    expect([whole.contact, whole.messages.map(({ text }) => text)]).toEqual([null, [null]]);
    expect(whole.ticket.looks).toEqual([]);
  });
});
