import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { type TicketState, ticketState } from "./ticket-state.ts";

/** POST …/reply: the customer gets a mail, and reads the reply behind their link. @throws ApiError, 409 when somebody changed the ticket meanwhile */
export const replyToTicket = (
  ticketNumber: string,
  body: { message: string; next: "Waiting" | "Closed"; expectedRevision: number },
  idempotencyKey: string,
): Promise<TicketState> =>
  requestJson(ticketState, "POST", adminApi.ticketAction(ticketNumber, "reply"), body, { idempotencyKey });
