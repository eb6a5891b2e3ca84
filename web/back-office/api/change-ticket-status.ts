import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { type TicketState, type TicketStatus, ticketState } from "./ticket-state.ts";

/** POST …/status @throws ApiError, 409 when somebody changed the ticket meanwhile */
export const changeTicketStatus = (
  ticketNumber: string,
  body: { status: TicketStatus; expectedRevision: number },
  idempotencyKey: string,
): Promise<TicketState> =>
  requestJson(ticketState, "POST", adminApi.ticketAction(ticketNumber, "status"), body, { idempotencyKey });
