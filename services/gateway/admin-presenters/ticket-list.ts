import { z } from "zod";
import * as field from "../../../domain/fields.ts";
import { wholeNumber } from "../../../domain/forms/answers.ts";
import { inboxAssignees, inboxCategories, inboxOrders, inboxStatuses } from "../../../domain/ticket/inbox.ts";
import type {
  TicketCounts,
  TicketListPage,
  TicketListRequest,
} from "../../../projections/ticket-list-queries.ts";

import { presentPeople } from "./ticket.ts";
import type { NameOf } from "./ticket-history.ts";

const cursorParts = z.tuple([z.union([z.iso.datetime(), z.iso.date()]), field.id]);

const cursor = z.string().transform((text, context) => {
  const parts = cursorParts.safeParse(text.split("~"));
  // The year 0 looks like a time, and is none to the database.
  if (parts.success && parts.data[0] > "2") return { at: parts.data[0], ticketId: parts.data[1] };
  context.addIssue({ code: "custom", message: "Use the `next` of the page before" });
  return z.NEVER;
});

/** GET /api/admin/tickets?status=&assignee=&category=&order=&limit=&after=; `assignee=mine` needs to know whose. */
export const inboxQuery = z.object({
  status: z.enum(inboxStatuses, "There is no such status").optional(),
  assignee: z.enum(inboxAssignees, "Use mine or nobodys").optional(),
  category: z.enum(inboxCategories, "There is no such category").optional(),
  order: z.enum(inboxOrders, "Use longest, newest or due").optional(),
  limit: wholeNumber({ least: 1, most: 200 }, "Use a number from 1 to 200").optional(),
  after: cursor.optional(),
});

/** The list that somebody asks for. */
export function inboxRequest(
  { assignee, ...query }: z.output<typeof inboxQuery>,
  userId: string,
): TicketListRequest {
  if (assignee === undefined) return query;
  return { ...query, assignee: assignee === "mine" ? userId : null };
}

/** Who has these tickets, by user id. */
export const assigneesIn = (tickets: TicketListPage["tickets"]): readonly string[] => [
  ...new Set(tickets.flatMap(({ assignee }) => assignee ?? [])),
];

/** The inbox: no personal data, nothing that was typed. `today` is London's, for the days that are left. */
export function presentTicketList(
  { tickets, next }: TicketListPage,
  counts: TicketCounts,
  { nameOf, today }: { nameOf: NameOf; today: string },
) {
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
    next: next && `${next.at}~${next.ticketId}`,
  };
}
