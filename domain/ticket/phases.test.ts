import { describe, expect, it } from "vitest";
import {
  asked,
  said,
  sampleTicketCommand,
  ticketIn,
  ticketPhases,
  ticketStateAfter,
} from "../../testing/domain/ticket-fixture.ts";
import { Refused } from "../decider.ts";
import type { TicketCommandType } from "./commands.ts";
import { ticketDecider } from "./decide.ts";
import { type TicketPhase, ticketCellOf, ticketStatusOf } from "./phases.ts";

const gone = "ticket-purged";

/**
 * What each sample command, given by staff, makes happen in each phase: its events, `nothing` when it is true already,
 * or the rule that refuses it. Open, Waiting, Closed, Purged.
 */
const outcomes: Readonly<Record<TicketCommandType, readonly [string, string, string, string]>> = {
  OpenTicket: ["already-exists", "already-exists", "already-exists", "already-exists"],
  ReplyToTicket: [
    "TicketReplied+TicketStatusChanged",
    "TicketReplied",
    "TicketReplied+TicketStatusChanged",
    gone,
  ],
  FileAutomaticReply: ["AutomaticReplyReceived", "AutomaticReplyReceived", "AutomaticReplyReceived", gone],
  NoteOnTicket: ["TicketNoted", "TicketNoted", "TicketNoted", gone],
  AssignTicket: ["TicketAssigned", "TicketAssigned", "TicketAssigned", gone],
  ChangeTicketStatus: ["TicketStatusChanged", "TicketStatusChanged", "nothing", gone],
  CategoriseTicket: ["TicketCategorised", "TicketCategorised", "TicketCategorised", gone],
  LinkTicketToOrder: ["TicketLinkedToOrder", "TicketLinkedToOrder", "TicketLinkedToOrder", gone],
  ReplaceTicketLink: ["TicketLinkReplaced", "TicketLinkReplaced", "TicketLinkReplaced", gone],
  ChooseMailContent: ["MailContentChosen", "MailContentChosen", "MailContentChosen", gone],
  AcknowledgeTicket: ["no-clock", "no-clock", "no-clock", gone],
  RevealPersonalData: ["PersonalDataRevealed", "PersonalDataRevealed", "PersonalDataRevealed", gone],
  RevealOriginal: ["no-original", "no-original", "no-original", gone],
  RequestErasure: ["ErasureRequested", "ErasureRequested", "ErasureRequested", gone],
  RecordTicketMail: ["MailSent", "MailSent", "MailSent", "MailSent"],
  RecordBounce: ["MailBounced", "MailBounced", "MailBounced", "MailBounced"],
  StartTicketPurge: ["ticket-not-closed", "ticket-not-closed", "TicketPurgeStarted", "nothing"],
  PurgeTicket: ["ticket-not-closed", "ticket-not-closed", "nothing", "nothing"],
};

const everyCell = Object.values(sampleTicketCommand).flatMap((command) =>
  ticketPhases.map(
    (phase, column) => [command.type, phase, outcomes[command.type][column] ?? "", command] as const,
  ),
);

function outcomeIn(phase: TicketPhase, command: (typeof sampleTicketCommand)[TicketCommandType]): string {
  try {
    return (
      asked(ticketIn[phase], command)
        .map(({ type }) => type)
        .join("+") || "nothing"
    );
  } catch (error) {
    if (error instanceof Refused) return error.rule;
    throw error;
  }
}

describe("the phase table of tickets", () => {
  it("is tried with a history for every phase", () => {
    for (const phase of ticketPhases) expect(ticketStateAfter(ticketIn[phase]).phase).toBe(phase);
  });

  it.each(everyCell)("%s in %s: %s", (_, phase, expected, command) => {
    expect(outcomeIn(phase, command)).toBe(expected);
  });

  const refusedCells = everyCell.filter(([type, phase]) => ticketCellOf(type, phase) !== "allowed");

  it.each(refusedCells)("%s in %s is refused in the name of the phase: %s", (type, phase, _, command) => {
    expect(() => asked(ticketIn[phase], command)).toThrow(
      expect.objectContaining({ code: "forbidden-in-phase", phase, rule: ticketCellOf(type, phase) }),
    );
  });

  it("refuses everything but OpenTicket where there is no ticket", () => {
    for (const command of Object.values(sampleTicketCommand)) {
      const attempt = () => ticketDecider.decide({ phase: "Absent" }, command, said());
      if (command.type === "OpenTicket") expect(attempt()).toHaveLength(1);
      else expect(attempt).toThrow(expect.objectContaining({ code: "unknown-ticket" }));
    }
  });

  it("shows customers a closed ticket once its texts are gone", () => {
    expect(ticketPhases.map(ticketStatusOf)).toEqual(["Open", "Waiting", "Closed", "Closed"]);
  });
});
