import type { ActorKind, CommandMetadata } from "../../domain/decider.ts";
import { addSeconds } from "../../domain/instant.ts";
import type { TicketCommand, TicketCommandType } from "../../domain/ticket/commands.ts";
import { ticketDecider } from "../../domain/ticket/decide.ts";
import type { TicketEvent } from "../../domain/ticket/events.ts";
import { evolveTicket } from "../../domain/ticket/evolve.ts";
import { type Attachment, onlyText } from "../../domain/ticket/message-parts.ts";
import type { TicketPhase } from "../../domain/ticket/phases.ts";
import { absentTicket, type Ticket, type TicketState, ticketExists } from "../../domain/ticket/state.ts";
import { ticketStatus } from "../../domain/ticket/vocabulary.ts";
import { start, uuid } from "./order-fixture.ts";

/** Test tickets, each given by its events. */

export const ticketId = "0a8f1c52-6d1c-5b4e-9a55-2f6f3f1f0002";
export const heldOrderId = "0a8f1c52-6d1c-5b4e-9a55-2f6f3f1f0003";

/** An event and when it was recorded, in seconds after the start. */
export type TicketResult = readonly [TicketEvent, number];

export const opened = {
  type: "TicketOpened",
  data: {
    ticketId,
    ticketNumber: "T-0000-0000-00000",
    category: "question",
    orderNumber: null,
    contactRef: uuid(301),
    messageRef: uuid(302),
    acknowledgeBy: null,
    ...onlyText,
    automatic: false,
  },
} as const satisfies TicketEvent;

export const complained: TicketEvent = {
  type: "TicketOpened",
  data: { ...opened.data, category: "dataProtectionComplaint", acknowledgeBy: "2026-12-22" },
};
export const answered: TicketEvent = {
  type: "TicketReplied",
  data: { author: "staff", staffId: "staff_1", messageRef: uuid(303), ...onlyText },
};
export const wrote = (n: number): TicketEvent => ({
  type: "TicketReplied",
  data: { author: "customer", staffId: null, messageRef: uuid(400 + n), ...onlyText },
});
const attached: Attachment[] = [{ ref: uuid(600), type: "pdf", bytes: 12_345 }];
/** As a mail from another address than the customer's, with a file. */
export const mailed = {
  mail: {
    sender: "other",
    authentication: { spf: "pass", dkim: "fail", dmarc: "none" },
    originalRef: uuid(601),
  },
  attachments: attached,
} as const;
export const autoReplied: TicketEvent = {
  type: "AutomaticReplyReceived",
  data: { messageRef: uuid(602), ...mailed },
};
export const noted: TicketEvent = {
  type: "TicketNoted",
  data: { staffId: "staff_1", noteRef: uuid(304) },
};
export const looked = (staffId = "staff_1"): TicketEvent => ({
  type: "PersonalDataRevealed",
  data: { staffId, reason: "ticket" },
});
export const turned = (status: "Open" | "Waiting" | "Closed"): TicketEvent => ({
  type: "TicketStatusChanged",
  data: { status, reason: status === "Closed" ? "staffChoice" : "reply" },
});
export const linked: TicketEvent = { type: "TicketLinkedToOrder", data: { orderId: heldOrderId } };
/** For the event with the id `uuid(0)`: the opening in the histories below. */
export const acknowledged = {
  type: "MailSent",
  data: { template: "ticketOpened", templateVersion: 1, about: uuid(0) },
} as const satisfies TicketEvent;
export const unacknowledged = {
  type: "MailUndeliverable",
  data: { ...acknowledged.data, because: "refused" },
} as const satisfies TicketEvent;
/** As recorded before purges were started by events. */
export const ticketPurged = {
  type: "TicketPurged",
  data: {
    startedBy: null,
    destroyed: ["ticketContact", "ticketMessage"],
    rule: "retention",
    keyFingerprint: "ab".repeat(32),
    probe: "unreadable",
    records: 3,
  },
} satisfies TicketEvent;

const { rule: _, ...receipt } = ticketPurged.data;

const waiting: readonly TicketResult[] = [
  [opened, 0],
  [acknowledged, 1],
  [answered, 100],
  [turned("Waiting"), 100],
];
const closed: readonly TicketResult[] = [...waiting, [turned("Closed"), 200]];

/** A history ending in each phase. */
export const ticketIn: Readonly<Record<TicketPhase, readonly TicketResult[]>> = {
  Open: [[opened, 0]],
  Waiting: waiting,
  Closed: closed,
  Purged: [...closed, [ticketPurged, 40_000_000]],
};

/** The state after a history. The nth event has the id `uuid(n)`, counted from 0. */
export const ticketStateAfter = (history: readonly TicketResult[]): TicketState =>
  history.reduce<TicketState>(
    (state, [event, seconds], revision) =>
      evolveTicket(state, event, { eventId: uuid(revision), at: addSeconds(start, seconds), revision }),
    absentTicket,
  );

/** The ticket after a history that opens it. */
export function ticketAfter(history: readonly TicketResult[]): Ticket {
  const state = ticketStateAfter(history);
  if (!ticketExists(state)) throw new Error("This history opens no ticket.");
  return state;
}

/** Metadata of a command this many seconds after the start. */
export const said = (kind: ActorKind = "customer", secondsLater = 1000): CommandMetadata => ({
  commandId: uuid(900_000 + secondsLater),
  at: addSeconds(start, secondsLater),
  actor: { kind, id: kind === "staff" ? "staff_1" : "tester" },
  correlationId: "test",
});

/** The events of a command after a history. */
export const asked = (
  history: readonly TicketResult[],
  command: TicketCommand,
  metadata = said("staff"),
): readonly TicketEvent[] => ticketDecider.decide(ticketStateAfter(history), command, metadata);

/** A valid command of each type: tests that try every command try these, and the compiler misses none. */
export const sampleTicketCommand: {
  readonly [Type in TicketCommandType]: Extract<TicketCommand, { type: Type }>;
} = {
  OpenTicket: {
    type: "OpenTicket",
    data: {
      ticketId,
      ticketNumber: "T-0000-0000-00000",
      category: "question",
      orderNumber: null,
      heldOrderId: null,
      contactRef: uuid(301),
      messageRef: uuid(302),
      ...onlyText,
      automatic: false,
      mailContent: "link",
    },
  },
  ReplyToTicket: { type: "ReplyToTicket", data: { messageRef: uuid(501), ...onlyText } },
  FileAutomaticReply: { type: "FileAutomaticReply", data: { messageRef: uuid(504), ...mailed } },
  NoteOnTicket: { type: "NoteOnTicket", data: { noteRef: uuid(502) } },
  AssignTicket: { type: "AssignTicket", data: { assignee: "staff_2" } },
  ChangeTicketStatus: { type: "ChangeTicketStatus", data: { status: "Closed", reason: "staffChoice" } },
  CategoriseTicket: { type: "CategoriseTicket", data: { category: "dataRequest" } },
  LinkTicketToOrder: { type: "LinkTicketToOrder", data: { orderId: heldOrderId } },
  ReplaceTicketLink: { type: "ReplaceTicketLink", data: {} },
  ChooseMailContent: { type: "ChooseMailContent", data: { content: "text" } },
  AcknowledgeTicket: { type: "AcknowledgeTicket", data: { channel: "telephone" } },
  RevealPersonalData: { type: "RevealPersonalData", data: { reason: "ticket" } },
  RevealOriginal: { type: "RevealOriginal", data: { messageId: uuid(0), reason: "unreadable" } },
  RequestErasure: { type: "RequestErasure", data: {} },
  RecordTicketMail: {
    type: "RecordTicketMail",
    data: { template: "ticketAnswered", templateVersion: 1, about: uuid(50), result: "sent" },
  },
  RecordBounce: {
    type: "RecordBounce",
    data: { template: "ticketAnswered", about: uuid(50), kind: "complaint", code: "" },
  },
  StartTicketPurge: { type: "StartTicketPurge", data: { rule: "retention" } },
  PurgeTicket: {
    type: "PurgeTicket",
    data: { outcome: "purged", ...receipt, startedBy: uuid(503) },
  },
};

/** The phases of a ticket, in order. */
export const ticketPhases: readonly TicketPhase[] = [...ticketStatus.options, "Purged"];
