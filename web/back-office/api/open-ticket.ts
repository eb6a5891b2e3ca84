import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { ticketState } from "./ticket-state.ts";

const author = z.enum(["customer", "staff"]);

const conversationEntry = z.object({
  id: z.string(),
  /** A message the customer can read, or a note that only staff can. */
  kind: z.enum(["message", "note"]),
  author,
  staffId: z.nullable(z.string()),
  at: z.string(),
  /** Null once it was destroyed. */
  text: z.nullable(z.string()),
});
export type ConversationEntry = z.infer<typeof conversationEntry>;

const historyEntry = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(["customer", "staff", "mail", "privacy"]),
  text: z.string(),
  actor: z.object({ kind: z.string(), id: z.nullable(z.string()) }),
});
export type TicketHistoryEntry = z.infer<typeof historyEntry>;

const linkedOrder = z.object({
  orderNumber: z.string(),
  status: z.string(),
  phase: z.string(),
  items: z.array(z.string()),
  totalPence: z.number(),
  createdAt: z.string(),
  despatchBy: z.nullable(z.string()),
});
export type LinkedOrder = z.infer<typeof linkedOrder>;

const ticketReceipt = z.object({
  purgedAt: z.string(),
  destroyed: z.array(z.string()),
  rule: z.string(),
  records: z.number(),
  keyFingerprint: z.string(),
  probe: z.string(),
});
export type TicketReceipt = z.infer<typeof ticketReceipt>;

export const openedTicket = z.extend(ticketState, {
  category: z.string(),
  openedAt: z.string(),
  /** In London. */
  today: z.string(),
  /** Null once it was destroyed, as is the subject. */
  contact: z.nullable(z.object({ name: z.string(), email: z.string() })),
  /** Whose page has all of this person. */
  customerId: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  /** Oldest first. */
  conversation: z.array(conversationEntry),
  /** As the customer named it, unchecked. */
  statedOrderNumber: z.nullable(z.string()),
  order: z.nullable(linkedOrder),
  purge: z.nullable(ticketReceipt),
  /** Newest first. */
  history: z.array(historyEntry),
  /** Whom it can be given to, by user id. */
  assignable: z.array(z.string()),
  /** The names of who works here and stands on the page, by user id. */
  people: z.record(z.string(), z.string()),
});
/** All of a ticket, with what was written in it. */
export type OpenedTicket = z.infer<typeof openedTicket>;

/**
 * POST /api/admin/tickets/{ticketNumber}/open: a look that the log remembers. No hook: what was written may not stay in a cache when its
 * page is left.
 * @throws ApiError
 */
export const openTicket = (ticketNumber: string): Promise<OpenedTicket> =>
  requestJson(openedTicket, "POST", adminApi.ticketAction(ticketNumber, "open"), {});
