import type { Presented } from "../../../contract/request.ts";
import type { TicketHistoryKind, ticketHistoryShown } from "../../../contract/tickets/ticket.ts";
import type { TicketEvent, TicketEventData, TicketEventType } from "../../../domain/ticket/events.ts";
import type { PastTicketEvent } from "../ticket-history.ts";

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

const wording: Wording = {
  TicketOpened: () => ({ kind: "customer", text: "Opened" }),
  TicketReplied: ({ author }) =>
    author === "staff" ? byStaff("Replied") : { kind: "customer", text: "Wrote again" },
  TicketNoted: () => byStaff("Added a note"),
  TicketAssigned: ({ assignee }, { nameOf }) =>
    byStaff(assignee === null ? "Unassigned" : `Assigned to ${nameOf(assignee)}`),
  TicketStatusChanged: ({ status, reason }) =>
    byStaff(reason === "silence" ? "Closed: the customer did not reply" : statusTexts[status]),
  TicketLinkedToOrder: ({ orderId }, { order }) =>
    byStaff(order?.orderId === orderId ? `Linked to order ${order.orderNumber}` : "Linked to an order"),
  TicketLinkReplaced: () => ({
    kind: "privacy",
    text: "Private link replaced: earlier links no longer work",
  }),
  TicketAcknowledged: ({ channel }) =>
    byStaff(channel === "post" ? "Acknowledged by letter" : "Acknowledged by telephone"),
  PersonalDataRevealed: ({ reason }) => ({ kind: "privacy", text: looks[reason] }),
  MailSent: ({ template }) => ({ kind: "mail", text: `${mails[template]} was sent` }),
  MailUndeliverable: ({ template }) => ({ kind: "mail", text: `${mails[template]} could not be delivered` }),
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
export const presentTicketHistory = (
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
