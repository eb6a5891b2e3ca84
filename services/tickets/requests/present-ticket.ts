import type { Presented } from "../../../contract/request.ts";
import type {
  TicketHistoryKind,
  ticketHistoryShown,
  ticketStateAnswer,
  wholeTicketAnswer,
} from "../../../contract/tickets/ticket.ts";
import { isUnreachable } from "../../../domain/mailbox.ts";
import { clockOf, needsOtherAcknowledgement } from "../../../domain/ticket/clocks.ts";
import type { TicketEvent, TicketEventData, TicketEventType } from "../../../domain/ticket/events.ts";
import { ticketStatusOf } from "../../../domain/ticket/phases.ts";
import type { Ticket } from "../../../domain/ticket/state.ts";
import { categoryInShort, type StatusReason } from "../../../domain/ticket/vocabulary.ts";
import type { OrderLookup } from "../../../projections/orders/order-lookup.ts";
import { bounceWords, undeliverableWords } from "../../documents/mail-words.ts";
import { presentFiles } from "../attached-files.ts";
import type { PastTicketEvent, WholeTicket } from "../tickets.ts";

export type TicketPage = {
  readonly whole: WholeTicket;
  readonly history: readonly PastTicketEvent[];
  /** The linked order. */
  readonly order: OrderLookup | null;
  /** The customer with this email address; null once destroyed, and until it is indexed. */
  readonly customerId: string | null;
  /** Whether files are scanned before they are taken. */
  readonly filesAreScanned: boolean;
  /** User ids of possible assignees. */
  readonly assignable: readonly string[];
  readonly nameOf: NameOf;
  /** In London. */
  readonly today: string;
};

/** A whole ticket, for a caller whose access was recorded. Null means destroyed. */
export function presentWholeTicket(page: TicketPage): Presented<typeof wholeTicketAnswer> {
  const { whole, history, order, customerId, assignable, nameOf, today } = page;
  const { ticket, contact } = whole;
  return {
    ...presentTicketState(ticket),
    category: ticket.category,
    openedAt: ticket.openedAt,
    today,
    contact: contact && { name: contact.name, email: contact.email },
    customerId,
    subject: contact?.subject ?? null,
    conversation: conversationOf(whole),
    mailContent: ticket.mailContent,
    filesAreScanned: page.filesAreScanned,
    statedOrderNumber: ticket.orderNumber,
    order: order && {
      id: order.orderId,
      orderNumber: order.orderNumber,
      status: order.status,
      phase: order.phase,
      items: order.items,
      totalPence: order.totalPence,
      createdAt: order.createdAt,
      despatchBy: order.promise?.despatchBy ?? null,
    },
    purge: purgeOf(ticket),
    history: presentTicketHistory(history, { order, nameOf }),
    assignable,
    people: presentPeople([...staffIn(history), ...assignable], nameOf),
  };
}

const mailStopOf = ({ mails }: Ticket) =>
  isUnreachable(mails) ? "unreachable" : mails.unwanted ? "unwanted" : null;

/** Answers an action with the ticket's state, without its texts. */
export function presentTicketState(ticket: Ticket): Presented<typeof ticketStateAnswer> {
  const clock = clockOf(ticket);
  return {
    /** Topics of live updates. */
    id: ticket.ticketId,
    ticketNumber: ticket.ticketNumber,
    status: ticketStatusOf(ticket.phase),
    since: ticket.phaseSince,
    revision: ticket.revision,
    assignee: ticket.assignee,
    clock: clock && { rule: clock.rule, dueOn: clock.dueOn, metOn: clock.metOn },
    acknowledgement: {
      by: ticket.acknowledgement.by,
      state: ticket.acknowledgement.state,
      needed: needsOtherAcknowledgement(ticket),
    },
    mailStop: mailStopOf(ticket),
  };
}

export const presentPeople = (userIds: readonly string[], nameOf: NameOf): Readonly<Record<string, string>> =>
  Object.fromEntries(userIds.map((userId) => [userId, nameOf(userId)]));

/** Messages and notes in order. */
const conversationOf = ({ messages, notes }: WholeTicket) =>
  [
    ...messages.map((message) => ({
      id: message.messageId,
      kind: "message" as const,
      author: message.author,
      staffId: message.staffId,
      at: message.at,
      text: message.text,
      email: message.mail && {
        from: message.from,
        sender: message.mail.sender,
        authentication: message.mail.authentication,
      },
      automatic: message.automatic,
      quoted: message.quoted,
      attachments: presentFiles(message.files),
    })),
    ...notes.map(({ noteId, staffId, at, text }) => ({
      id: noteId,
      kind: "note" as const,
      author: "staff" as const,
      staffId,
      at,
      text,
    })),
  ].sort((one, other) => one.at.localeCompare(other.at));

function purgeOf({ purge }: Ticket) {
  const { purgedAt, receipt } = purge;
  if (purgedAt === null || receipt === null) return null;
  return {
    purgedAt,
    destroyed: receipt.destroyed,
    rule: receipt.rule,
    records: receipt.records,
    keyFingerprint: receipt.keyFingerprint,
    probe: receipt.probe,
  };
}

/** An order that entries may name. */
type KnownOrder = { readonly orderId: string; readonly orderNumber: string };

type Known = { readonly order: KnownOrder | null; readonly nameOf: NameOf };

/** The name of a member of staff by user id. */
export type NameOf = (userId: string) => string;

type TimedEvent = { readonly kind: TicketHistoryKind; readonly text: string };
type Wording = {
  readonly [Type in TicketEventType]: (data: TicketEventData<Type>, known: Known) => TimedEvent;
};
type EventOf<Type extends TicketEventType> = {
  [T in Type]: Extract<TicketEvent, { type: T }> & { readonly type: T; readonly data: TicketEventData<T> };
}[Type];

const byStaff = (text: string): TimedEvent => ({ kind: "staff", text });

const reasonTexts: Partial<Record<StatusReason, string>> = {
  silence: "Closed: the customer did not reply",
  undelivered: "Reopened: our reply did not reach the customer",
};

const statusTexts = {
  Open: "Reopened",
  Waiting: "Waiting for the customer",
  Closed: "Closed",
} as const;

const mails = {
  ticketOpened: "The acknowledgement",
  ticketAnswered: "The email about our reply",
  ticketLink: "The email with the new private link",
} as const;

const looks = {
  ticket: "Read the conversation to answer it",
  subjectAccess: "Read the conversation for a subject access request",
  erasureRequest: "Read the conversation for an erasure request",
} as const;

const originalReveals = {
  unreadable: "Opened an original email because it could not be read here",
  doubtfulSender: "Opened an original email to see who sent it",
  subjectAccess: "Opened an original email for a subject access request",
  lawRequires: "Opened an original email because the law requires it",
} as const;

const wording: Wording = {
  TicketOpened: ({ mail, automatic }) => ({
    kind: "customer",
    text: automatic ? "Opened by an automatic email, and closed" : mail ? "Opened by email" : "Opened",
  }),
  TicketReplied: ({ author, mail }) =>
    author === "staff"
      ? byStaff("Replied")
      : { kind: "customer", text: mail ? "Wrote again by email" : "Wrote again" },
  AutomaticReplyReceived: () => ({ kind: "customer", text: "An automatic reply came by email" }),
  TicketNoted: () => byStaff("Added a note"),
  TicketAssigned: ({ assignee }, { nameOf }) =>
    byStaff(assignee === null ? "Unassigned" : `Assigned to ${nameOf(assignee)}`),
  TicketStatusChanged: ({ status, reason }) => byStaff(reasonTexts[reason] ?? statusTexts[status]),
  TicketCategorised: ({ category }) => byStaff(`Filed under “${categoryInShort[category]}”`),
  TicketLinkedToOrder: ({ orderId }, { order }) =>
    byStaff(order?.orderId === orderId ? `Linked to order ${order.orderNumber}` : "Linked to an order"),
  TicketLinkReplaced: () => ({
    kind: "privacy",
    text: "Private link replaced: earlier links no longer work",
  }),
  MailContentChosen: ({ content }) => ({
    kind: "customer",
    text: content === "text" ? "Chose to have our replies in full by email" : "Chose to have links by email",
  }),
  TicketAcknowledged: ({ channel }) =>
    byStaff(channel === "post" ? "Acknowledged by letter" : "Acknowledged by telephone"),
  PersonalDataRevealed: ({ reason }) => ({ kind: "privacy", text: looks[reason] }),
  OriginalRevealed: ({ reason }) => ({ kind: "privacy", text: originalReveals[reason] }),
  MailSent: ({ template }) => ({ kind: "mail", text: `${mails[template]} was sent` }),
  MailUndeliverable: ({ template, because }) => ({
    kind: "mail",
    text: `${mails[template]} could not be delivered: ${undeliverableWords[because]}`,
  }),
  MailBounced: ({ template, ...bounce }) => ({
    kind: "mail",
    text: `${mails[template]} was ${bounceWords(bounce)}`,
  }),
  ErasureRequested: () => ({ kind: "privacy", text: "The customer asked for erasure" }),
  TicketPurgeStarted: () => ({ kind: "privacy", text: "Destruction of the conversation started" }),
  TicketPurged: () => ({ kind: "privacy", text: "Conversation destroyed" }),
  PurgeFailed: ({ attempt }) => ({ kind: "privacy", text: `Destruction failed, attempt ${attempt}` }),
};

function lineOf<Type extends TicketEventType>(event: EventOf<Type>, known: Known): TimedEvent {
  const write: Wording[Type] = wording[event.type];
  return write(event.data, known);
}

/** User ids of the staff in a ticket's history. */
export const staffIn = (history: readonly PastTicketEvent[]): readonly string[] => [
  ...new Set(
    history.flatMap(({ event, actor }) => [
      ...(actor.kind === "staff" ? [actor.id] : []),
      ...(event.type === "TicketAssigned" && event.data.assignee !== null ? [event.data.assignee] : []),
    ]),
  ),
];

/** A ticket's events in words, newest first, without message texts. */
const presentTicketHistory = (
  history: readonly PastTicketEvent[],
  known: Known,
): Presented<typeof ticketHistoryShown> =>
  history
    .map(({ eventId, event, at, actor }) => ({
      id: eventId,
      at,
      ...lineOf(event, known),
      // A customer's id is the ticket itself.
      actor: { kind: actor.kind, id: actor.kind === "staff" ? actor.id : null },
    }))
    .reverse();
