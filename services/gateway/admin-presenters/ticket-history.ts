import type { TicketEvent, TicketEventData, TicketEventType } from "../../../domain/ticket/events.ts";
import type { PastTicketEvent } from "../../tickets/ticket-history.ts";

/** Whose doing an entry is: the sign before it on the page. */
export type TicketHistoryKind = "customer" | "staff" | "mail" | "privacy";

/** An order that entries may name. */
export type KnownOrder = { readonly orderId: string; readonly orderNumber: string };

type Told = { readonly kind: TicketHistoryKind; readonly text: string };
type Tellings = {
  readonly [Type in TicketEventType]: (data: TicketEventData<Type>, order: KnownOrder | null) => Told;
};
type EventOf<Type extends TicketEventType> = {
  [T in Type]: Extract<TicketEvent, { type: T }> & { readonly type: T; readonly data: TicketEventData<T> };
}[Type];

const byStaff = (text: string): Told => ({ kind: "staff", text });

const statusTexts = {
  Open: "Opened again",
  Waiting: "Waiting for the customer",
  Closed: "Closed",
} as const;

const mails = {
  ticketOpened: "The acknowledgement",
  ticketAnswered: "The mail about our answer",
  ticketLink: "The mail with the new private link",
} as const;

const looks = {
  ticket: "Read the conversation to answer it",
  subjectAccess: "Read the conversation for a request about personal data",
  erasureRequest: "Read the conversation for a request for erasure",
} as const;

const tellings: Tellings = {
  TicketOpened: () => ({ kind: "customer", text: "Opened" }),
  TicketReplied: ({ author }) =>
    author === "staff" ? byStaff("Answered") : { kind: "customer", text: "Wrote again" },
  TicketNoted: () => byStaff("Left a note"),
  TicketAssigned: ({ assignee }) =>
    byStaff(assignee === null ? "Given back to nobody" : `Given to ${assignee}`),
  TicketStatusChanged: ({ status, reason }) =>
    byStaff(reason === "silence" ? "Closed, as the customer did not answer" : statusTexts[status]),
  TicketLinkedToOrder: ({ orderId }, order) =>
    byStaff(order?.orderId === orderId ? `Linked to order ${order.orderNumber}` : "Linked to an order"),
  TicketLinkReplaced: () => ({ kind: "privacy", text: "Private link replaced: earlier ones open nothing" }),
  TicketAcknowledged: ({ channel }) =>
    byStaff(channel === "post" ? "Acknowledged by letter" : "Acknowledged by telephone"),
  PersonalDataRevealed: ({ reason }) => ({ kind: "privacy", text: looks[reason] }),
  MailSent: ({ template }) => ({ kind: "mail", text: `${mails[template]} was sent` }),
  MailUndeliverable: ({ template }) => ({ kind: "mail", text: `${mails[template]} could not be delivered` }),
  ErasureRequested: () => ({ kind: "privacy", text: "The customer asked for erasure" }),
  TicketPurged: () => ({ kind: "privacy", text: "All that was written was destroyed" }),
  PurgeFailed: ({ attempt }) => ({ kind: "privacy", text: `Destroying failed, attempt ${attempt}` }),
};

function told<Type extends TicketEventType>(event: EventOf<Type>, order: KnownOrder | null): Told {
  const tell: Tellings[Type] = tellings[event.type];
  return tell(event.data, order);
}

/** What happened to a ticket, newest first, each in words; without a word of what was written in it. */
export const presentTicketHistory = (history: readonly PastTicketEvent[], order: KnownOrder | null) =>
  history
    .map(({ eventId, event, at, actor }) => ({
      id: eventId,
      at,
      ...told(event, order),
      // Customers are their ticket: the id would tell nobody anything.
      actor: { kind: actor.kind, id: actor.kind === "staff" ? actor.id : null },
    }))
    .reverse();
