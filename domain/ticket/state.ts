import type { Counts } from "../decider.ts";
import type { Mails } from "../mailbox.ts";
import type { OpenPurge } from "../open-work.ts";
import type { PurgeFailureCode } from "../order/vocabulary.ts";
import type { TicketEventData } from "./events.ts";
import type { Attachment, MailArrival } from "./message-parts.ts";
import type { TicketPhase } from "./phases.ts";
import type {
  Author,
  MailContent,
  PurgedTicketKind,
  TicketCategory,
  TicketMailTemplate,
  TicketPurgeRule,
  TicketRevealReason,
} from "./vocabulary.ts";

/** What is known of a ticket: the fold of its events. Moments are ISO 8601 in UTC. */
export interface Ticket {
  readonly phase: TicketPhase;
  /** Since when it is in this phase, or when staff last answered in it. */
  readonly phaseSince: string;
  /**
   * Of the last event that changed what people act on: messages, notes, status, assignee, order, link, what our mails
   * say. Mails, looks and automatic replies raise the stream's revision but not this one, because they should not cause
   * a message to be refused.
   */
  readonly revision: number;
  readonly ticketId: string;
  readonly ticketNumber: string;
  readonly category: TicketCategory;
  readonly openedAt: string;
  /** The order as the customer named it, unchecked. */
  readonly orderNumber: string | null;
  /** The order it belongs to. */
  readonly linkedOrder: { readonly orderId: string; readonly at: string } | null;
  readonly assignee: string | null;
  /** The generation of the private link that opens it now. */
  readonly linkGeneration: number;
  /** What the mail about an answer says. */
  readonly mailContent: MailContent;
  /**
   * When it was first closed: what the customer wanted was dealt with by then. Null again when staff reopen it, or the
   * answer that closed it did not arrive.
   */
  readonly firstClosedAt: string | null;
  /** Each person's last reveal for each reason. */
  readonly looks: readonly TicketLook[];
  /** The vault's record of who wrote and what about; null once it is purged, as are all references. */
  readonly contactRef: string | null;
  /** Oldest first, with automatic replies. */
  readonly messages: readonly TicketMessage[];
  readonly notes: readonly TicketNote[];
  readonly acknowledgement: Acknowledgement;
  /** When the customer asked for its erasure, to happen once there is no lawful need for it. */
  readonly erasureRequestedAt: string | null;
  readonly mails: Mails<TicketMailTemplate>;
  readonly purge: TicketPurge;
  /** How often each repeatable event happened, for the limits in phases.ts. */
  readonly counts: Counts;
}

/** Before TicketOpened. */
interface AbsentTicket {
  readonly phase: "Absent";
}
export const absentTicket: AbsentTicket = { phase: "Absent" };

export type TicketState = AbsentTicket | Ticket;

/** True once the ticket was opened. */
export const ticketExists = (state: TicketState): state is Ticket => state.phase !== "Absent";

export interface TicketMessage {
  /** The id of the event that caused it. */
  readonly messageId: string;
  readonly author: Author;
  readonly staffId: string | null;
  readonly at: string;
  readonly ref: string | null;
  /** A machine sent it: it asks for no answer, and nothing follows from it. */
  readonly automatic: boolean;
  /** How it came by mail; null for the page. */
  readonly mail: (Omit<MailArrival, "originalRef"> & { readonly originalRef: string | null }) | null;
  readonly attachments: readonly (Omit<Attachment, "ref"> & { readonly ref: string | null })[];
}

export interface TicketNote {
  readonly noteId: string;
  readonly staffId: string;
  readonly at: string;
  readonly ref: string | null;
}

interface TicketLook {
  readonly staffId: string;
  readonly reason: TicketRevealReason;
  /** When it began. */
  readonly at: string;
}

export interface Acknowledgement {
  /** The last day that the law allows, `2026-12-20`; null where it sets none. */
  readonly by: string | null;
  readonly state: "owed" | "sent" | "undeliverable" | "otherwise";
  /** When it last changed. */
  readonly at: string;
}

export interface TicketPurge {
  readonly purgedAt: string | null;
  readonly receipt: Omit<TicketEventData<"TicketPurged">, "startedBy"> | null;
  /** Failures since the last success. */
  readonly failures: number;
  readonly failedAt: string | null;
  readonly failure: PurgeFailureCode | null;
  /** The purge that is under way; absent while there is none. Its records are named nowhere else any more. */
  readonly open?: OpenPurge<TicketPurgeRule, PurgedTicketKind>;
}

/** A record that events of a ticket name, and what it is. */
interface NamedTicketRecord {
  readonly ref: string;
  readonly kind: PurgedTicketKind;
}

/** The vault's records that events of the ticket name and that no purge has begun to erase. */
export function namedTicketRecords({ contactRef, messages, notes }: Ticket): readonly NamedTicketRecord[] {
  const of = (kind: PurgedTicketKind, refs: readonly (string | null)[]): NamedTicketRecord[] =>
    refs.flatMap((ref) => (ref === null ? [] : [{ ref, kind }]));
  const refsOf = (parts: readonly { readonly ref: string | null }[]) => parts.map(({ ref }) => ref);
  return [
    ...of("ticketContact", [contactRef]),
    ...of("ticketMessage", refsOf(messages)),
    ...of("ticketNote", refsOf(notes)),
    ...of(
      "ticketAttachment",
      messages.flatMap(({ attachments }) => refsOf(attachments)),
    ),
    ...of(
      "ticketOriginal",
      messages.map(({ mail }) => mail?.originalRef ?? null),
    ),
  ];
}

/** The messages that people wrote. */
export const writtenMessages = ({ messages }: Pick<Ticket, "messages">): readonly TicketMessage[] =>
  messages.filter(({ automatic }) => !automatic);

/** True once nothing can be read or added to: the texts are purged, or being purged. */
export const isTicketGone = ({ phase, purge }: Ticket): boolean =>
  phase === "Purged" || purge.open !== undefined;
