import { describe, expect, it } from "vitest";
import {
  acknowledged,
  asked,
  autoReplied,
  looked,
  noted,
  opened,
  sampleTicketCommand as sample,
  type TicketResult,
  ticketAfter,
  turned,
  wrote,
} from "../../testing/domain/ticket-fixture.ts";

const open: readonly TicketResult[] = [[opened, 0]];

describe("a decision on a ticket", () => {
  const commands = [
    { ...sample.ReplyToTicket, data: { ...sample.ReplyToTicket.data, seen: 0 } },
    { ...sample.NoteOnTicket, data: { ...sample.NoteOnTicket.data, seen: 0 } },
    { ...sample.AssignTicket, data: { ...sample.AssignTicket.data, seen: 0 } },
    { ...sample.ChangeTicketStatus, data: { ...sample.ChangeTicketStatus.data, seen: 0 } },
    { ...sample.CategoriseTicket, data: { ...sample.CategoriseTicket.data, seen: 0 } },
    { ...sample.LinkTicketToOrder, data: { ...sample.LinkTicketToOrder.data, seen: 0 } },
    { ...sample.ReplaceTicketLink, data: { seen: 0 } },
  ];

  it.each(commands.map((command) => [command.type, command] as const))(
    "with %s counts if they saw the ticket as it is, and not if it changed meanwhile",
    (_, command) => {
      expect(asked(open, command).length).toBeGreaterThan(0);
      for (const meanwhile of [wrote(1), noted, turned("Waiting")]) {
        expect(() => asked([...open, [meanwhile, 5]], command)).toThrow(
          expect.objectContaining({ code: "changed-meanwhile", details: { revision: 1 } }),
        );
      }
    },
  );

  it("is not refused for a mail that went out, a colleague who looked, or an automatic reply", () => {
    const [reply] = commands;
    const looks: TicketResult[] = [...open, [acknowledged, 1], [looked("staff_2"), 2], [autoReplied, 3]];
    expect(ticketAfter(looks).revision).toBe(0);
    expect(reply && asked(looks, reply)).toHaveLength(2);
  });

  it("is not compared for customers, who answer what they have", () => {
    expect(asked([...open, [wrote(1), 5]], sample.ReplyToTicket)).toHaveLength(2);
  });
});

describe("a reply of staff", () => {
  it("leaves the ticket waiting for the customer, or closes it when they say so", () => {
    const closing = {
      ...sample.ReplyToTicket,
      data: { ...sample.ReplyToTicket.data, next: "Closed" as const },
    };
    expect(asked(open, closing)).toMatchObject([
      { type: "TicketReplied" },
      { type: "TicketStatusChanged", data: { status: "Closed", reason: "staffChoice" } },
    ]);
    expect(asked(open, sample.ReplyToTicket)).toMatchObject([
      { type: "TicketReplied" },
      { type: "TicketStatusChanged", data: { status: "Waiting", reason: "reply" } },
    ]);
  });
});
