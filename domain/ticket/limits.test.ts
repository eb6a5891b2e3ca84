import fc from "fast-check";
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
import { mostAttachmentBytes, onlyText } from "./message-parts.ts";
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
    CategoriseTicket: { type: "CategoriseTicket", data: { category: n % 2 === 0 ? "other" : "order" } },
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

const sending = fc.record({
  by: fc.constantFrom("page", "mail", "machine", "staff"),
  bytes: fc.integer({ min: 0, max: mostAttachmentBytes }),
});
type Sending = typeof sending extends fc.Arbitrary<infer Sent> ? Sent : never;

function commandOf({ by, bytes }: Sending, n: number): TicketCommand {
  const { mail } = sampleTicketCommand.FileAutomaticReply.data;
  const attachments = bytes === 0 ? [] : [{ ref: uuid(n), type: "pdf" as const, bytes }];
  const parts = { messageRef: uuid(10_000 + n), attachments };
  return by === "machine"
    ? { type: "FileAutomaticReply", data: { ...parts, mail } }
    : { type: "ReplyToTicket", data: { ...parts, mail: by === "mail" ? mail : null } };
}

/** What a ticket holds unanswered after each step, counted beside it. */
function bytesUnanswered(sent: readonly Sending[]): number[] {
  let state: TicketState = ticketAfter(ticketIn.Open);
  let unanswered = 0;
  return sent.map((each, n) => {
    try {
      const by = said(each.by === "staff" ? "staff" : "customer");
      for (const event of ticketDecider.decide(state, commandOf(each, n), by)) {
        const recorded = { eventId: uuid(50_000 + n), at: addSeconds(start, n), revision: n + 1 };
        state = evolveTicket(state, event, recorded);
      }
      const isByMail = each.by === "mail" || each.by === "machine";
      unanswered = each.by === "staff" ? 0 : unanswered + each.bytes + (isByMail ? 15_000_000 : 0);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    return unanswered;
  });
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
    if (events.length > 1) expect(rule, limitNeeded).toMatch(/^too-many-|^answer-pending$/);
  });

  it("ends for a customer who writes without being answered", () => {
    expect(often("Open", "ReplyToTicket", "customer")).toMatchObject({
      rule: "answer-pending",
      events: { length: 19 },
    });
  });

  it("ends for machines that answer each other, with and without an answer of staff", () => {
    expect(often("Waiting", "FileAutomaticReply", "customer")).toMatchObject({
      rule: "answer-pending",
      events: { length: 19 },
    });
    const answered = { ...ticketAfter(ticketIn.Waiting), counts: { AutomaticReplyReceived: 100 } };
    const more = () =>
      ticketDecider.decide(answered, sampleTicketCommand.FileAutomaticReply, said("customer"));
    expect(more).toThrow(expect.objectContaining({ rule: "too-many-automatic-replies" }));
  });

  it("keeps 300 MB until an answer, whatever is sent in which order", () => {
    const steps = fc.array(sending, { maxLength: 60, size: "max" });
    const isBounded = (sent: readonly Sending[]) => Math.max(0, ...bytesUnanswered(sent)) <= 300_000_000;
    fc.assert(fc.property(steps, isBounded));
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
