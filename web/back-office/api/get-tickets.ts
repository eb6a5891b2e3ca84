import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { ticketClock, ticketStatus } from "./ticket-state.ts";

const shares = z.object({ mine: z.number(), nobodys: z.number(), all: z.number() });

export const ticketLine = z.object({
  ticketNumber: z.string(),
  category: z.string(),
  status: ticketStatus,
  /** Since when it has this status. */
  since: z.string(),
  openedAt: z.string(),
  assignee: z.nullable(z.string()),
  messages: z.number(),
  notes: z.number(),
  lastMessage: z.object({ author: z.enum(["customer", "staff"]), at: z.string() }),
  orderNumber: z.nullable(z.string()),
  linked: z.boolean(),
  clock: z.nullable(ticketClock),
  needsOtherAcknowledgement: z.boolean(),
  deletedAt: z.nullable(z.string()),
});
/** A line of the inbox; nobody's name or words are in it. */
export type TicketLine = z.infer<typeof ticketLine>;

export const inbox = z.object({
  /** In London. */
  today: z.string(),
  counts: z.object({
    open: shares,
    waiting: shares,
    due: z.number(),
    late: z.number(),
    unreached: z.number(),
  }),
  tickets: z.array(ticketLine),
  /** The names of who has them, by user id. */
  people: z.record(z.string(), z.string()),
  /** Where the next page begins; null on the last. */
  next: z.nullable(z.string()),
});
export type Inbox = z.infer<typeof inbox>;

/** GET /api/admin/tickets. @throws ApiError */
export const getTickets = (query: string): Promise<Inbox> =>
  requestJson(inbox, "GET", `${adminApi.tickets}?${query}`);

/** A page of the inbox, with what was asked for; the one before stays while the next is on its way. */
export const useTickets = (query: string) =>
  useSWR([adminApi.tickets, query], async () => ({ ...(await getTickets(query)), query }), {
    revalidateIfStale: true,
    keepPreviousData: true,
  });
