import { api } from "../paths.ts";
import { requestJson } from "./request.ts";
import { type TicketAccess, type TicketView, ticketView } from "./view-ticket.ts";

/** POST /api/tickets/replies. Answers the conversation with the new message. @throws ApiError, 409 once it has been destroyed */
export const replyToTicket = (
  access: TicketAccess,
  message: string,
  idempotencyKey: string,
): Promise<TicketView> =>
  requestJson(ticketView, "POST", api.ticketReplies, { ...access, message }, { idempotencyKey });
