import * as z from "zod/mini";
import { api } from "../paths.ts";
import { requestJson } from "./request.ts";

/** POST /api/tickets: what to find the conversation by. */
export const openedTicket = z.object({ ticketNumber: z.string(), link: z.string() });
export type OpenedTicket = z.infer<typeof openedTicket>;

/** What the contact form says. An order number that is empty is none. */
export interface NewTicket {
  readonly name: string;
  readonly email: string;
  readonly category: string;
  readonly subject: string;
  readonly message: string;
  readonly orderNumber: string | null;
}

/** Opens a ticket. A repeat under the same key answers the same ticket. @throws ApiError with the refused fields */
export const openTicket = (ticket: NewTicket, idempotencyKey: string): Promise<OpenedTicket> =>
  requestJson(openedTicket, "POST", api.tickets, ticket, { idempotencyKey });
