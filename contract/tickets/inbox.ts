import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import {
  author,
  inboxAssignees,
  inboxCategories,
  inboxOrders,
  inboxStatuses,
  ticketCategory,
  ticketStatus,
} from "../../domain/ticket/vocabulary.ts";
import { afterPlace, perPage } from "../lists.ts";
import { answers, get } from "../request.ts";
import { staff } from "../roles.ts";
import { clockShown } from "./ticket.ts";

export const shares = z.object({ mine: field.count, unassigned: field.count, all: field.count });

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
        assignee: z.nullable(z.string()),
        messages: field.count,
        notes: field.count,
        lastMessage: z.object({ author, at: field.instant }),
        orderNumber: z.nullable(z.string()),
        linked: z.boolean(),
        clock: z.nullable(clockShown),
        needsOtherAcknowledgement: z.boolean(),
        deletedAt: z.nullable(field.instant),
      }),
    ),
    people: z.record(z.string(), z.string()),
    next: z.nullable(z.string()),
  })
  .register(z.globalRegistry, { id: "Inbox" });

const place = z.pipe(
  z.tuple([z.union([field.instant, field.date]), field.id]),
  z.transform(([at, ticketId]) => ({ at, ticketId })),
);

export const listTickets = get("/api/admin/tickets", {
  summary: "The inbox",
  from: staff,
  limit: "reads",
  query: z.object({
    status: z.optional(z.enum(inboxStatuses, "There is no such status")),
    assignee: z.optional(z.enum(inboxAssignees, "Use mine or unassigned")),
    category: z.optional(z.enum(inboxCategories, "There is no such category")),
    order: z.optional(z.enum(inboxOrders, "Use longest, newest or due")),
    limit: perPage,
    after: afterPlace(place),
  }),
  answers: answers(ticketListAnswer),
});

export type Inbox = z.output<typeof ticketListAnswer>;
export type TicketLine = Inbox["tickets"][number];
