import { z } from "zod";
import * as field from "../../../domain/fields.ts";
import { author, ticketCategory, ticketStatus } from "../../../domain/ticket/vocabulary.ts";
import type { TicketCounts, TicketListPage } from "../../../projections/ticket-list-queries.ts";
import { cursorOf } from "../admin-routes/inbox-request.ts";
import type { Presented } from "../presented.ts";
import { clockShown, presentPeople } from "./ticket.ts";
import type { NameOf } from "./ticket-history.ts";

const shares = z.object({ mine: field.count, nobodys: field.count, all: field.count });

/** GET /api/admin/tickets */
export const ticketListAnswer = z
  .object({
    today: field.date,
    counts: z.object({
      open: shares,
      waiting: shares,
      due: field.count,
      late: field.count,
      unreached: field.count,
    }),
    tickets: z.array(
      z.object({
        ticketNumber: field.ticketNumber,
        category: ticketCategory,
        status: ticketStatus,
        since: field.instant,
        openedAt: field.instant,
        assignee: z.string().nullable(),
        messages: field.count,
        notes: field.count,
        lastMessage: z.object({ author, at: field.instant }),
        orderNumber: z.string().nullable(),
        linked: z.boolean(),
        clock: clockShown.nullable(),
        needsOtherAcknowledgement: z.boolean(),
        deletedAt: field.instant.nullable(),
      }),
    ),
    people: z.record(z.string(), z.string()),
    next: z.string().nullable(),
  })
  .meta({ id: "Inbox" });

/** Who has these tickets, by user id. */
export const assigneesIn = (tickets: TicketListPage["tickets"]): readonly string[] => [
  ...new Set(tickets.flatMap(({ assignee }) => assignee ?? [])),
];

/** The inbox: no personal data, nothing that was typed. `today` is London's, for the days that are left. */
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
