import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { phases } from "../../domain/order/phases.ts";
import { orderStatuses } from "../../domain/order/status.ts";
import { probeResult } from "../../domain/order/vocabulary.ts";
import { clockRules } from "../../domain/ticket/clocks.ts";
import {
  author,
  purgedTicketKind,
  ticketCategory,
  ticketPurgeRule,
  ticketStatus,
} from "../../domain/ticket/vocabulary.ts";
import { answers, post } from "../request.ts";
import { staff } from "../roles.ts";

export const clockShown = z
  .object({ rule: z.enum(clockRules), dueOn: field.date, metOn: z.nullable(field.date) })
  .register(z.globalRegistry, { id: "StatutoryClock" });

const state = {
  id: z.string(),
  ticketNumber: field.ticketNumber,
  status: ticketStatus,
  since: field.instant,
  revision: z.int(),
  assignee: z.nullable(z.string()),
  clock: z.nullable(clockShown),
  acknowledgement: z.object({
    by: z.nullable(field.date),
    state: z.enum(["owed", "sent", "undeliverable", "otherwise"]),
    needed: z.boolean(),
  }),
};

/** Answers every action on a ticket. */
export const ticketStateAnswer = z.object(state).register(z.globalRegistry, { id: "TicketState" });

export const written = { id: z.string(), at: field.instant, text: z.nullable(z.string()) };

export const orderOfTicket = z.object({
  orderNumber: field.orderNumber,
  status: z.enum(orderStatuses),
  phase: z.enum(phases),
  items: z.array(z.string()),
  totalPence: z.int(),
  createdAt: field.instant,
  despatchBy: z.nullable(field.date),
});

export const ticketPurge = z.object({
  purgedAt: field.instant,
  destroyed: z.array(purgedTicketKind),
  rule: ticketPurgeRule,
  records: field.count,
  keyFingerprint: field.keyFingerprint,
  probe: probeResult,
});

/** Who or what caused an entry; chooses its icon on the page. */
export const historyKind = z.enum(["customer", "staff", "mail", "privacy"]);

export type TicketHistoryKind = z.output<typeof historyKind>;

/** Newest first. */
export const ticketHistoryShown = z.array(
  z.object({
    id: z.string(),
    at: field.instant,
    kind: historyKind,
    text: z.string(),
    actor: z.object({ kind: z.string(), id: z.nullable(z.string()) }),
  }),
);

export const wholeTicketAnswer = z
  .object({
    ...state,
    category: ticketCategory,
    openedAt: field.instant,
    today: field.date,
    contact: z.nullable(z.object({ name: z.string(), email: z.string() })),
    customerId: z.nullable(z.string()),
    subject: z.nullable(z.string()),
    conversation: z.array(
      z.discriminatedUnion("kind", [
        z.object({ ...written, kind: z.literal("message"), author, staffId: z.nullable(z.string()) }),
        z.object({ ...written, kind: z.literal("note"), author: z.literal("staff"), staffId: z.string() }),
      ]),
    ),
    statedOrderNumber: z.nullable(z.string()),
    order: z.nullable(orderOfTicket),
    purge: z.nullable(ticketPurge),
    history: ticketHistoryShown,
    assignable: z.array(z.string()),
    people: z.record(z.string(), z.string()),
  })
  .register(z.globalRegistry, {
    id: "WholeTicket",
    description: "A whole ticket; the access is recorded. Null fields were destroyed",
  });

export const openTicketAsStaff = post("/api/admin/tickets/{ticketNumber}/open", {
  summary: "Read a conversation; the access is recorded",
  from: staff,
  limit: "reads",
  answers: answers(wholeTicketAnswer),
  refuses: ["not-found"],
});

export type OpenedTicket = z.output<typeof wholeTicketAnswer>;
export type ConversationEntry = OpenedTicket["conversation"][number];
export type TicketHistoryEntry = z.output<typeof ticketHistoryShown>[number];
export type LinkedOrder = z.output<typeof orderOfTicket>;
export type TicketReceipt = z.output<typeof ticketPurge>;
