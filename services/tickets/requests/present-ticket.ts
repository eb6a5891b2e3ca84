import type { Presented } from "../../../contract/request.ts";
import type { ticketStateAnswer } from "../../../contract/tickets/shapes.ts";
import type { wholeTicketAnswer } from "../../../contract/tickets/ticket.ts";
import { clockOf, needsOtherAcknowledgement } from "../../../domain/ticket/clocks.ts";
import { ticketStatusOf } from "../../../domain/ticket/phases.ts";
import type { Ticket } from "../../../domain/ticket/state.ts";
import type { OrderLookup } from "../../../projections/order-lookup.ts";
import type { WholeTicket } from "../read-ticket.ts";
import type { PastTicketEvent } from "../ticket-history.ts";
import { type NameOf, presentTicketHistory, staffIn } from "./present-ticket-history.ts";

/** Data of a ticket's page. */
export type TicketPage = {
  readonly whole: WholeTicket;
  readonly history: readonly PastTicketEvent[];
  /** The linked order. */
  readonly order: OrderLookup | null;
  /** The customer with this email address; null once destroyed, and until it is indexed. */
  readonly customerId: string | null;
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
    statedOrderNumber: ticket.orderNumber,
    order: order && {
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
  };
}

/** Names by user id. */
export const presentPeople = (userIds: readonly string[], nameOf: NameOf): Readonly<Record<string, string>> =>
  Object.fromEntries(userIds.map((userId) => [userId, nameOf(userId)]));

/** Messages and notes in order. */
const conversationOf = ({ messages, notes }: WholeTicket) =>
  [
    ...messages.map(({ messageId, author, staffId, at, text }) => ({
      id: messageId,
      kind: "message" as const,
      author,
      staffId,
      at,
      text,
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
