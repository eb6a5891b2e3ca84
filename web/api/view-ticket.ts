import * as z from "zod/mini";
import { api } from "../paths.ts";
import { requestJson } from "./request.ts";

const message = z.object({
  id: z.string(),
  author: z.enum(["customer", "staff"]),
  text: z.string(),
  timestamp: z.string(),
});

/** A conversation as its customer sees it. */
export const ticketView = z.object({
  ticketNumber: z.string(),
  category: z.string(),
  /** Open: we are to answer. Waiting: we wait for the customer. Closed: done, and a reply opens it again. */
  status: z.string(),
  /** Null once it has been destroyed. */
  subject: z.nullable(z.string()),
  createdAt: z.string(),
  lastUpdated: z.string(),
  orderNumber: z.nullable(z.string()),
  /** Oldest first. */
  messages: z.array(message),
  /** When the texts were destroyed; null while they are there. */
  deletedAt: z.nullable(z.string()),
});
export type TicketView = z.infer<typeof ticketView>;

/** Who asks: whoever has the key of the private link, or knows the number and the customer's email address. */
export type TicketAccess =
  | { readonly key: string }
  | { readonly ticketNumber: string; readonly email: string };

/** POST /api/tickets/view. @throws ApiError, 404 for what is unknown and what is wrong alike */
export const viewTicket = (access: TicketAccess): Promise<TicketView> =>
  requestJson(ticketView, "POST", api.ticketView, access);
