import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { type TicketState, ticketState } from "./ticket-state.ts";

/** POST …/link: to an order, by its number. 422 when there is none. @throws ApiError, 409 when somebody changed the ticket meanwhile */
export const linkTicket = (
  ticketNumber: string,
  body: { orderNumber: string; expectedRevision: number },
  idempotencyKey: string,
): Promise<TicketState> =>
  requestJson(ticketState, "POST", adminApi.ticketAction(ticketNumber, "link"), body, { idempotencyKey });
