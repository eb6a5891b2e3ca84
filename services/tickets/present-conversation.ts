import type { ticketAnswer, ticketLinkAnswer } from "../../contract/tickets/conversation.ts";
import type { TicketLookup } from "../../projections/tickets/ticket-lookup.ts";
import type { Presented } from "../gateway/routing/presented.ts";
import type { Conversation } from "./open-conversation.ts";

export const presentTicketLink = (
  ticketNumber: string,
  link: string,
): Presented<typeof ticketLinkAnswer> => ({ ticketNumber, link });

/** The conversation as its customer sees it. */
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
