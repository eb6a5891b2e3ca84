import type { inboxOrders, TicketCategory, TicketStatus } from "../../domain/ticket/vocabulary.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { schemaOf } from "../runner/projection.ts";
import { type TicketListEntry, ticketList } from "./ticket-list.ts";

/**
 * `longest`: longest waiting first. `newest`: the reverse. `due`: only those with a statutory deadline, soonest first.
 */
type TicketOrder = (typeof inboxOrders)[number];

/** Where a page ended: `since` of its last ticket, or its deadline when sorted by deadline. */
export type TicketListCursor = { readonly at: string; readonly ticketId: string };

export type TicketListRequest = {
  readonly status?: TicketStatus | undefined;
  /** Assignee filter: a user id; null for unassigned; omitted for all. */
  readonly assignee?: string | null | undefined;
  readonly category?: TicketCategory | undefined;
  /** `longest` by default. */
  readonly order?: TicketOrder | undefined;
  readonly after?: TicketListCursor | undefined;
  /** 1 to 200; 50 by default. */
  readonly limit?: number | undefined;
};

export type TicketListPage = {
  readonly tickets: readonly TicketListEntry[];
  /** Null on the last page. */
  readonly next: TicketListCursor | null;
};

/** Ticket counts, per assignee and overall. Closed tickets are not counted: there are ever more. */
export type TicketCounts = {
  readonly open: TicketShares;
  readonly waiting: TicketShares;
  /** With an unmet statutory deadline, and how many of these are overdue. */
  readonly due: number;
  readonly late: number;
  /** To be acknowledged by other means than email. */
  readonly unreached: number;
};
type TicketShares = { readonly mine: number; readonly unassigned: number; readonly all: number };

export type TicketListQueries = {
  listTickets(request: TicketListRequest): Promise<TicketListPage>;
  /** @param today in London, `2026-11-21` */
  countTickets(staffId: string, today: string): Promise<TicketCounts>;
};

const mostPerPage = 200;
const table = `${schemaOf(ticketList)}.${ticketList.table.name}`;

/** Queries of the inbox. Paged by key, so that a new ticket does not shift pages. */
export function ticketListQueries(pool: Pool): TicketListQueries {
  return {
    async listTickets(request) {
      const { order = "longest", limit = 50 } = request;
      const perPage = Math.min(Math.max(Math.trunc(limit), 1), mostPerPage);
      const values: unknown[] = [perPage + 1];
      const where = conditionsOf(request, order, values).join(" and ");
      const direction = order === "newest" ? "desc" : "asc";
      const { rows } = await pool.query<{ entry: TicketListEntry }>({
        text: `select entry from ${table} where ${where} order by ${sortOf[order]} ${direction}, key ${direction} limit $1`,
        values,
      });
      const tickets = rows.slice(0, perPage).map(({ entry }) => entry);
      const last = tickets.at(-1);
      return { tickets, next: last && rows.length > perPage ? cursorOf(last, order) : null };
    },

    async countTickets(staffId, today) {
      const { rows } = await pool.query<Record<string, number>>({
        name: "count-tickets",
        text: counting,
        values: [staffId, today],
      });
      const count = (name: string): number => rows[0]?.[name] ?? 0;
      const shares = (status: string): TicketShares => ({
        mine: count(`${status}_mine`),
        unassigned: count(`${status}_unassigned`),
        all: count(`${status}_all`),
      });
      return {
        open: shares("open"),
        waiting: shares("waiting"),
        due: count("due"),
        late: count("late"),
        unreached: count("unreached"),
      };
    },
  };
}

const sortOf: Readonly<Record<TicketOrder, string>> = { longest: "since", newest: "since", due: "due_on" };

const cursorOf = ({ ticketId, since, clock }: TicketListEntry, order: TicketOrder): TicketListCursor => ({
  at: order === "due" ? (clock?.dueOn ?? "") : since,
  ticketId,
});

function conditionsOf(
  { status, assignee, category, after }: TicketListRequest,
  order: TicketOrder,
  values: unknown[],
): string[] {
  const conditions = [order === "due" ? "due_on is not null" : "true"];
  if (status !== undefined) conditions.push(`status = $${values.push(status)}`);
  if (assignee === null) conditions.push("assignee is null");
  else if (assignee !== undefined) conditions.push(`assignee = $${values.push(assignee)}`);
  if (category !== undefined) conditions.push(`category = $${values.push(category)}`);
  if (after !== undefined) {
    const type = order === "due" ? "text" : "timestamptz";
    const [at, key] = [values.push(after.at), values.push(after.ticketId)];
    const beyond = order === "newest" ? "<" : ">";
    conditions.push(`(${sortOf[order]}, key) ${beyond} ($${at}::${type}, $${key}::text)`);
  }
  return conditions;
}

// One pass over the tickets that are not closed, which have a separate index; there may be millions of closed ones.
const counting = `
  with live as materialized (
    select status, assignee from ${table} where status in ('Open', 'Waiting')
  ), clocks as materialized (
    select due_on from ${table} where due_on is not null
  )
  select ${["Open", "Waiting"]
    .map((status) => {
      const counted = (name: string, condition: string) =>
        `count(*) filter (where status = '${status}' and ${condition})::int as ${status.toLowerCase()}_${name}`;
      return [
        counted("mine", "assignee = $1"),
        counted("unassigned", "assignee is null"),
        counted("all", "true"),
      ].join(", ");
    })
    .join(", ")},
    (select count(*)::int from clocks) as due,
    (select count(*)::int from clocks where due_on < $2) as late,
    (select count(*)::int from ${table} where unreached) as unreached
  from live`;
