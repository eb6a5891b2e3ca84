import { z } from "zod";
import * as field from "../../../domain/fields.ts";
import {
  inboxAssignees,
  inboxCategories,
  inboxOrders,
  inboxStatuses,
} from "../../../domain/ticket/vocabulary.ts";
import type { TicketListCursor, TicketListRequest } from "../../../projections/ticket-list-queries.ts";
import { afterPlace, perPage, placeText } from "./list-parameters.ts";

const place = z
  .tuple([z.union([field.instant, field.date]), field.id])
  .transform(([at, ticketId]): TicketListCursor => ({ at, ticketId }));

/** A place in the inbox as it stands in an address. */
export const cursorOf = ({ at, ticketId }: TicketListCursor): string => placeText([at, ticketId]);

/** GET /api/admin/tickets?status=&assignee=&category=&order=&limit=&after=; `assignee=mine` needs to know whose. */
export const inboxQuery = z.object({
  status: z.enum(inboxStatuses, "There is no such status").optional(),
  assignee: z.enum(inboxAssignees, "Use mine or nobodys").optional(),
  category: z.enum(inboxCategories, "There is no such category").optional(),
  order: z.enum(inboxOrders, "Use longest, newest or due").optional(),
  limit: perPage,
  after: afterPlace(place),
});

/** The list that somebody asks for. */
export function inboxRequest(
  { assignee, ...query }: z.output<typeof inboxQuery>,
  userId: string,
): TicketListRequest {
  if (assignee === undefined) return query;
  return { ...query, assignee: assignee === "mine" ? userId : null };
}
