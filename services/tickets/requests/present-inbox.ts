import type { ticketListAnswer } from "../../../contract/tickets/inbox.ts";
import type { TicketCounts, TicketListPage } from "../../../projections/tickets/ticket-list-queries.ts";
import type { Presented } from "../../gateway/routing/presented.ts";
import { cursorOf } from "./inbox-request.ts";
import { presentPeople } from "./present-ticket.ts";
import type { NameOf } from "./present-ticket-history.ts";

/** User ids of the assignees. */
export const assigneesIn = (tickets: TicketListPage["tickets"]): readonly string[] => [
  ...new Set(tickets.flatMap(({ assignee }) => assignee ?? [])),
];

/** The inbox, without personal data or message texts. `today` is London's, for the days left. */
export function presentTicketList(
  { tickets, next }: TicketListPage,
  counts: TicketCounts,
  { nameOf, today }: { nameOf: NameOf; today: string },
): Presented<typeof ticketListAnswer> {
  return {
    today,
    counts: {
      open: counts.open,
      waiting: counts.waiting,
      due: counts.due,
      late: counts.late,
      unreached: counts.unreached,
    },
    tickets: tickets.map((ticket) => ({
      ticketNumber: ticket.ticketNumber,
      category: ticket.category,
      status: ticket.status,
      since: ticket.since,
      openedAt: ticket.openedAt,
      assignee: ticket.assignee,
      messages: ticket.messages,
      notes: ticket.notes,
      lastMessage: { author: ticket.lastMessage.author, at: ticket.lastMessage.at },
      orderNumber: ticket.orderNumber,
      linked: ticket.orderId !== null,
      clock: ticket.clock && {
        rule: ticket.clock.rule,
        dueOn: ticket.clock.dueOn,
        metOn: ticket.clock.metOn,
      },
      needsOtherAcknowledgement: ticket.needsOtherAcknowledgement,
      deletedAt: ticket.purgedAt,
    })),
    people: presentPeople(assigneesIn(tickets), nameOf),
    next: next && cursorOf(next),
  };
}
