import { type Limit, limitsOf } from "../decider.ts";
import type { TicketCommandType } from "./commands.ts";
import type { TicketEventType } from "./events.ts";
import type { TicketStatus } from "./vocabulary.ts";

/** The phases of a ticket's life: its status, until what was written in it is purged. */
export type TicketPhase = TicketStatus | "Purged";

/** Why a phase refuses a command: stable codes, shown to clients. */
export type TicketPhaseRule = "already-exists" | "ticket-purged" | "ticket-not-closed";

type TicketCell = "allowed" | TicketPhaseRule;
type Row = Readonly<Record<TicketPhase, TicketCell>>;

const always: Row = { Open: "allowed", Waiting: "allowed", Closed: "allowed", Purged: "allowed" };
const untilPurged: Row = { ...always, Purged: "ticket-purged" };
const onceClosed: Row = { ...always, Open: "ticket-not-closed", Waiting: "ticket-not-closed" };
const onlyOnce: Row = {
  Open: "already-exists",
  Waiting: "already-exists",
  Closed: "already-exists",
  Purged: "already-exists",
};

/**
 * Which command is allowed in which phase. Allowed may still mean that nothing is left to do, or that a finer rule
 * refuses.
 */
const ticketPhaseTable: Readonly<Record<TicketCommandType, Row>> = {
  OpenTicket: onlyOnce,
  ReplyToTicket: untilPurged,
  FileAutomaticReply: untilPurged,
  NoteOnTicket: untilPurged,
  AssignTicket: untilPurged,
  ChangeTicketStatus: untilPurged,
  CategoriseTicket: untilPurged,
  LinkTicketToOrder: untilPurged,
  ReplaceTicketLink: untilPurged,
  ChooseMailContent: untilPurged,
  AcknowledgeTicket: untilPurged,
  RevealPersonalData: untilPurged,
  RevealOriginal: untilPurged,
  RequestErasure: untilPurged,
  // A fact: a mail may have left just before the purge.
  RecordTicketMail: always,
  RecordBounce: always,
  StartTicketPurge: onceClosed,
  PurgeTicket: onceClosed,
};

/** What the table says of a command in a phase. */
export const ticketCellOf = (command: TicketCommandType, phase: TicketPhase): TicketCell =>
  ticketPhaseTable[command][phase];

/** The status that customers see: a ticket whose texts are gone is closed. */
export const ticketStatusOf = (phase: TicketPhase): TicketStatus => (phase === "Purged" ? "Closed" : phase);

/** Why a limit refuses a command. */
export type TicketLimitRule =
  | "too-many-messages"
  | "too-many-automatic-replies"
  | "too-many-notes"
  | "too-many-assignments"
  | "too-many-status-changes"
  | "too-many-categories"
  | "too-many-order-links"
  | "too-many-links"
  | "too-many-choices"
  | "too-many-reveals";

/** What can be asked of a ticket again and again, and how often. */
const mostOfTicket = {
  TicketReplied: { rule: "too-many-messages", most: 1_000, byCustomer: 200 },
  // One for each of our mails, if a machine answers them all; two machines that answer each other end here.
  AutomaticReplyReceived: { rule: "too-many-automatic-replies", most: 100 },
  TicketNoted: { rule: "too-many-notes", most: 500 },
  TicketAssigned: { rule: "too-many-assignments", most: 200 },
  // A reply changes it as well: two for each reply, and what staff choose.
  TicketStatusChanged: { rule: "too-many-status-changes", most: 2_000 },
  TicketCategorised: { rule: "too-many-categories", most: 50 },
  TicketLinkedToOrder: { rule: "too-many-order-links", most: 50 },
  // Each sends mail to an address that is not verified.
  TicketLinkReplaced: { rule: "too-many-links", most: 30, byCustomer: 10 },
  MailContentChosen: { rule: "too-many-choices", most: 50 },
  PersonalDataRevealed: { rule: "too-many-reveals", most: 1_000 },
  OriginalRevealed: { rule: "too-many-reveals", most: 1_000 },
} as const satisfies Partial<Record<TicketEventType, Limit<TicketLimitRule>>>;

export const ticketLimits = limitsOf<TicketLimitRule>(mostOfTicket);
