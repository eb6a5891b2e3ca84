import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { type TicketState, ticketState } from "./ticket-state.ts";

/** POST …/note: for staff alone. @throws ApiError, 409 when somebody changed the ticket meanwhile */
export const noteOnTicket = (
  ticketNumber: string,
  body: { note: string; expectedRevision: number },
  idempotencyKey: string,
): Promise<TicketState> =>
  requestJson(ticketState, "POST", adminApi.ticketAction(ticketNumber, "note"), body, { idempotencyKey });
