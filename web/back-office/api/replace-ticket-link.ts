import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { type TicketState, ticketState } from "./ticket-state.ts";

/** POST …/replace-link: the customer gets the new private link by mail. @throws ApiError, 409 when somebody changed the ticket meanwhile */
export const replaceTicketLink = (
  ticketNumber: string,
  body: { expectedRevision: number },
  idempotencyKey: string,
): Promise<TicketState> =>
  requestJson(ticketState, "POST", adminApi.ticketAction(ticketNumber, "replace-link"), body, {
    idempotencyKey,
  });
