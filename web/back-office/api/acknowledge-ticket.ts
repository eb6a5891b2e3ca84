import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { type TicketState, ticketState } from "./ticket-state.ts";

/** POST …/acknowledge: it was done by letter or telephone. @throws ApiError, 409 when somebody changed the ticket meanwhile */
export const acknowledgeTicket = (
  ticketNumber: string,
  body: { channel: "post" | "telephone"; expectedRevision: number },
  idempotencyKey: string,
): Promise<TicketState> =>
  requestJson(ticketState, "POST", adminApi.ticketAction(ticketNumber, "acknowledge"), body, {
    idempotencyKey,
  });
