import { api } from "../paths.ts";
import { type OpenedTicket, openedTicket } from "./open-ticket.ts";
import { requestJson } from "./request.ts";
import type { TicketAccess } from "./view-ticket.ts";

/** POST /api/tickets/link: the private link got into other hands. The old one stops working, the new one is mailed too. @throws ApiError */
export const replaceTicketLink = (access: TicketAccess): Promise<OpenedTicket> =>
  requestJson(openedTicket, "POST", api.ticketLink, access);
