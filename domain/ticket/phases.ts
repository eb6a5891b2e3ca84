import type { TicketCommandType } from "./commands.ts";
import type { TicketStatus } from "./vocabulary.ts";

/** The phases of a ticket's life: its status, until what was written in it is destroyed. */
export const ticketPhases = ["Open", "Waiting", "Closed", "Purged"] as const;
export type TicketPhase = (typeof ticketPhases)[number];

/** Why a phase refuses a command: stable codes, shown to clients. */
export type TicketPhaseRule = "already-exists" | "ticket-purged" | "ticket-not-closed";

export type TicketCell = "allowed" | TicketPhaseRule;
type Row = readonly [TicketCell, TicketCell, TicketCell, TicketCell];

const ok = "allowed";
const dupe = "already-exists";
const gone = "ticket-purged";
const live = "ticket-not-closed";

/** Which command is allowed in which phase: Open, Waiting, Closed, Purged. */
export const ticketPhaseTable: Readonly<Record<TicketCommandType, Row>> = {
  OpenTicket: [dupe, dupe, dupe, dupe],
  ReplyToTicket: [ok, ok, ok, gone],
  NoteOnTicket: [ok, ok, ok, gone],
  AssignTicket: [ok, ok, ok, gone],
  ChangeTicketStatus: [ok, ok, ok, gone],
  LinkTicketToOrder: [ok, ok, ok, gone],
  ReplaceTicketLink: [ok, ok, ok, gone],
  AcknowledgeTicket: [ok, ok, ok, gone],
  RevealPersonalData: [ok, ok, ok, gone],
  RequestErasure: [ok, ok, ok, gone],
  RecordTicketMail: [ok, ok, ok, ok],
  StartTicketPurge: [live, live, ok, ok],
  PurgeTicket: [live, live, ok, ok],
};

/** What the table says of a command in a phase. */
export const ticketCellOf = (command: TicketCommandType, phase: TicketPhase): TicketCell =>
  ticketPhaseTable[command][ticketPhases.indexOf(phase)] ?? gone;

/** The status that customers see: a ticket whose texts are gone is closed. */
export const ticketStatusOf = (phase: TicketPhase): TicketStatus => (phase === "Purged" ? "Closed" : phase);
