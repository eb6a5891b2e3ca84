import { z } from "zod";
import * as field from "../../../domain/fields.ts";
import { author, ticketCategory, ticketStatus } from "../../../domain/ticket/vocabulary.ts";
import type { TicketLookup } from "../../../projections/ticket-lookup.ts";
import type { Conversation } from "../../tickets/open-conversation.ts";
import type { Presented } from "../presented.ts";

/** The number of a ticket, and the private link that opens it. */
export const ticketLinkAnswer = z
  .object({ ticketNumber: field.ticketNumber, link: z.string() })
  .meta({ id: "TicketLink" });

/** The conversation as its customer sees it. */
export const ticketAnswer = z
  .object({
    ticketNumber: field.ticketNumber,
    category: ticketCategory,
    status: ticketStatus,
    subject: z.string().nullable(),
    createdAt: field.instant,
    lastUpdated: field.instant,
    orderNumber: z.string().nullable(),
    messages: z.array(z.object({ id: z.string(), author, text: z.string(), timestamp: field.instant })),
    deletedAt: field.instant.nullable(),
  })
  .meta({ id: "Ticket" });

/** POST /api/tickets and /api/tickets/link. */
export const presentTicketLink = (
  ticketNumber: string,
  link: string,
): Presented<typeof ticketLinkAnswer> => ({ ticketNumber, link });

/** POST /api/tickets/view and /replies: the conversation as its customer sees it. */
export const presentTicket = (
  found: TicketLookup,
  { subject, messages }: Conversation,
): Presented<typeof ticketAnswer> => ({
  ticketNumber: found.ticketNumber,
  category: found.category,
  status: found.status,
  subject,
  createdAt: found.openedAt,
  lastUpdated: found.updatedAt,
  orderNumber: found.orderNumber,
  messages: messages.map(({ messageId, author, at, text }) => ({
    id: messageId,
    author,
    text,
    timestamp: at,
  })),
  deletedAt: found.purgedAt,
});
