import { describe, expect, it } from "vitest";
import { start, uuid } from "../../testing/domain/order-fixture.ts";
import {
  said,
  sampleTicketCommand,
  ticketAfter,
  ticketIn,
  ticketStateAfter,
} from "../../testing/domain/ticket-fixture.ts";
import { type ActorKind, Refused } from "../decider.ts";
import { addSeconds } from "../instant.ts";
import type { TicketCommand, TicketCommandType } from "./commands.ts";
import { ticketDecider } from "./decide.ts";
import type { TicketEvent } from "./events.ts";
import { evolveTicket } from "./evolve.ts";
import { onlyText } from "./message-parts.ts";
import { type TicketState, ticketExists } from "./state.ts";

/** The nth request of its kind, made to be accepted. */
function nth(type: TicketCommandType, n: number): TicketCommand {
  const made: Partial<Record<TicketCommandType, TicketCommand>> = {
    ReplyToTicket: { type: "ReplyToTicket", data: { messageRef: uuid(10_000 + n), ...onlyText } },
    NoteOnTicket: { type: "NoteOnTicket", data: { noteRef: uuid(10_000 + n) } },
    AssignTicket: { type: "AssignTicket", data: { assignee: n % 2 === 0 ? "staff_1" : "staff_2" } },
    ChangeTicketStatus: {
      type: "ChangeTicketStatus",
      data: { status: n % 2 === 0 ? "Closed" : "Open", reason: "staffChoice" },
    },
    ChooseMailContent: { type: "ChooseMailContent", data: { content: n % 2 === 0 ? "text" : "link" } },
    LinkTicketToOrder: { type: "LinkTicketToOrder", data: { orderId: uuid(n % 2) } },
  };
  return made[type] ?? sampleTicketCommand[type];
}

/** Gives a command so often, an hour apart, and answers what came of it and the last refusal. */
function often(
  history: keyof typeof ticketIn,
  type: TicketCommandType,
  kind: ActorKind,
  times = 2_200,
): { state: TicketState; events: TicketEvent[]; rule: string | null } {
  let state = ticketStateAfter(ticketIn[history]);
  let rule: string | null = null;
  const events: TicketEvent[] = [];
  for (let n = 0; n < times; n++) {
    try {
      for (const event of ticketDecider.decide(state, nth(type, n), said(kind, n * 3_600))) {
        events.push(event);
        const recorded = {
          eventId: uuid(50_000 + events.length),
          at: addSeconds(start, n),
          revision: events.length,
        };
        state = evolveTicket(state, event, recorded);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      ({ rule } = error);
    }
  }
  return { state, events, rule };
}

/** What policies execute. */
const reported: readonly TicketCommandType[] = ["RecordTicketMail", "PurgeTicket"];

const limitNeeded =
  "Let a second command change nothing, limit its event in mostOfTicket (phases.ts), or list it as reported";

describe("whatever a person asks a ticket for again and again", () => {
  const types = Object.values(sampleTicketCommand).map(({ type }) => type);
  const requests = types.filter((type) => !reported.includes(type));
  const phases = ["Open", "Waiting", "Closed"] as const;
  const cells = requests.flatMap((type) => phases.map((phase) => [type, phase] as const));

  it.each(cells)("%s in %s comes to an end", (type, phase) => {
    const { events, rule } = often(phase, type, "staff");
    expect(events.length, limitNeeded).toBeLessThanOrEqual(2_000);
    if (events.length > 1) expect(rule, limitNeeded).toMatch(/^too-many-/);
  });

  it("ends for a customer who writes without being answered", () => {
    expect(often("Open", "ReplyToTicket", "customer")).toMatchObject({
      rule: "answer-pending",
      events: { length: 19 },
    });
  });

  it("ends for machines that answer each other", () => {
    expect(often("Waiting", "FileAutomaticReply", "customer")).toMatchObject({
      rule: "too-many-automatic-replies",
      events: { length: 100 },
    });
  });

  it("ends for a customer who always is answered, and not yet for staff", () => {
    const reply = (n: number, kind: ActorKind) =>
      ticketDecider.decide(
        { ...ticket, messages: [], counts: { TicketReplied: n } },
        nth("ReplyToTicket", n),
        said(kind),
      );
    const ticket = ticketAfter(ticketIn.Open);
    expect(reply(199, "customer")).toHaveLength(1);
    expect(() => reply(200, "customer")).toThrow(expect.objectContaining({ rule: "too-many-messages" }));
    expect(reply(200, "staff").length).toBeGreaterThan(0);
  });

  it("replaces the private link ten times for a customer, and leaves one mail to send", () => {
    const { state, events, rule } = often("Open", "ReplaceTicketLink", "customer");
    expect(events).toHaveLength(10);
    expect(rule).toBe("too-many-links");
    const owed = ticketExists(state) ? state.mails.owed : [];
    expect(owed.filter(({ template }) => template === "ticketLink")).toHaveLength(1);
  });
});
