import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { type TicketState, ticketState } from "./ticket-state.ts";

/** POST …/assign: to somebody by their user id, or to nobody. @throws ApiError, 409 when somebody changed the ticket meanwhile */
export const assignTicket = (
  ticketNumber: string,
  body: { assignee: string | null; expectedRevision: number },
  idempotencyKey: string,
): Promise<TicketState> =>
  requestJson(ticketState, "POST", adminApi.ticketAction(ticketNumber, "assign"), body, { idempotencyKey });
