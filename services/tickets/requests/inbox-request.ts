import { placeText } from "../../../contract/lists.ts";
import type { Read } from "../../../contract/request.ts";
import type { listTickets } from "../../../contract/tickets/inbox.ts";
import type {
  TicketListCursor,
  TicketListRequest,
} from "../../../projections/tickets/ticket-list-queries.ts";

/** A place in the inbox, encoded for a URL. */
export const cursorOf = ({ at, ticketId }: TicketListCursor): string => placeText([at, ticketId]);

/** The requested list; `mine` depends on the caller. */
export function inboxRequest(
  { assignee, ...query }: Read<typeof listTickets>,
  userId: string,
): TicketListRequest {
  if (assignee === undefined) return query;
  return { ...query, assignee: assignee === "mine" ? userId : null };
}
