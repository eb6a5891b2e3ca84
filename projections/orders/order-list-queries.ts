import { before } from "../../domain/instant.ts";
import { phasesBeforeSubmission } from "../../domain/order/phases.ts";
import {
  longOverdueBefore,
  type OrderSort,
  overdueBefore,
  purgeLateBefore,
  type WorkQueue,
  workQueues,
} from "../../domain/order/staff/work-queues.ts";
import type { Client, Pool } from "../../infra/postgres/pool.ts";
import {
  type EntryRow,
  entryColumns,
  entryOf,
  noDay,
  noMoment,
  type OrderListEntry,
} from "./order-list-columns.ts";
import {
  countStatement,
  type OrderFilter,
  type PageOfKeys,
  type Place,
  pageStatement,
} from "./order-list-statements.ts";
import { idsAmong, ordersTable } from "./orders.ts";

export type OrderListRequest = {
  readonly filter: OrderFilter;
  /** Orders with one payment stand beside each other; `limit` counts each payment once. */
  readonly grouped?: boolean | undefined;
  readonly sort: OrderSort;
  readonly descending: boolean;
  /** The page after a place, or the one before it; the first page when neither is given. */
  readonly after?: Place | undefined;
  readonly before?: Place | undefined;
  /** 1 to 200. */
  readonly limit: number;
  /** For time-dependent queues. */
  readonly now: string;
};

export type OrderListPage = {
  readonly orders: readonly OrderListEntry[];
  /** Start of the next page, and end of the previous one; null if there is none. */
  readonly next: Place | null;
  readonly previous: Place | null;
};

export type OrderListQueries = {
  listOrders(request: OrderListRequest): Promise<OrderListPage>;
  /**
   * Every matching order once, a thousand at a time, as fast as they are consumed; sorted by when it was created, or
   * paid where the filter is by payment. May include orders that arrive meanwhile.
   */
  everyOrder(
    request: Pick<OrderListRequest, "filter" | "descending" | "now">,
  ): AsyncIterable<readonly OrderListEntry[]>;
  /** Orders in each queue, counted up to one above the bound. */
  countQueues(now: string, most: number): Promise<ReadonlyMap<WorkQueue, number>>;
  /** Lines of the list by order id, unordered; unknown ids are omitted. */
  listedOrders(orderIds: readonly string[]): Promise<readonly OrderListEntry[]>;
};

const mostPerPage = 200;

/** Queries of the list. Paged by key, so that a new order does not shift pages. */
export function orderListQueries(pool: Pool | Client, perBatch = 1_000): OrderListQueries {
  /** The groups of a page in reading direction, each from its first order on. */
  async function read(page: PageOfKeys): Promise<(readonly OrderListEntry[])[]> {
    const { text, values } = pageStatement(page);
    const { rows } = await pool.query<EntryRow & { readonly first: string }>(text, [...values]);
    const groups = [...Map.groupBy(rows, ({ first }) => first).values()];
    return groups.map((group) => (page.backwards ? group.toReversed() : group).map(entryOf));
  }
  return {
    async listOrders(request) {
      const { sort, after, before: end } = request;
      const limit = Math.min(Math.max(Math.trunc(request.limit), 1), mostPerPage);
      const backwards = end !== undefined;
      const groups = await read({ ...request, backwards, after: end ?? after, limit: limit + 1 });
      const page = groups.slice(0, limit);
      const shown = backwards ? page.toReversed() : page;
      const hasMore = groups.length > limit;
      // A page reached from another one has it as a neighbour.
      const [hasNext, hasPrevious] = backwards ? [true, hasMore] : [hasMore, after !== undefined];
      return {
        orders: shown.flat(),
        next: hasNext ? placeOf(shown.at(-1)?.[0], sort) : null,
        previous: hasPrevious ? placeOf(shown[0]?.[0], sort) : null,
      };
    },
    async *everyOrder({ filter, descending, now }) {
      // Neither ever moves: no change of an order carries it past the place that the export has reached.
      const sort = filter.paid ? "paid" : "created";
      let after: Place | undefined;
      do {
        const orders = (await read({ filter, sort, descending, after, limit: perBatch, now })).flat();
        if (orders.length > 0) yield orders;
        after = orders.length < perBatch ? undefined : (placeOf(orders.at(-1), sort) ?? undefined);
      } while (after !== undefined);
    },
    async countQueues(now, most) {
      const statement = countStatement(workQueues, most + 1, now);
      const { rows } = await pool.query<Record<WorkQueue, number>>(statement.text, [...statement.values]);
      return new Map(workQueues.map((queue) => [queue, rows[0]?.[queue] ?? 0]));
    },
    async listedOrders(orderIds) {
      const { rows } = await pool.query<EntryRow>({
        name: "listed-orders",
        text: `select ${entryColumns} from ${ordersTable} where key = any($1)`,
        values: [idsAmong(orderIds)],
      });
      return rows.map(entryOf);
    },
  };
}

/** An order's sort value, by column. */
const values: Readonly<Record<OrderSort, (entry: OrderListEntry) => string | number>> = {
  created: ({ createdAt }) => createdAt,
  paid: ({ paidAt }) => paidAt ?? noMoment,
  updated: ({ updatedAt }) => updatedAt,
  total: ({ totalPence }) => totalPence,
  despatch: ({ despatchBy }) => despatchBy ?? noDay,
};

const placeOf = (entry: OrderListEntry | undefined, sort: OrderSort): Place | null =>
  entry === undefined ? null : { value: values[sort](entry), key: entry.orderId };

/** The queues of a line at a moment, the same as in the database. */
export function queuesOfEntry(entry: OrderListEntry, now: string): WorkQueue[] {
  const { lasting, phase, stuckAt, awaitedBy, purgeSince } = entry;
  const isAwaitedBefore = (day: string) => awaitedBy !== null && awaitedBy < day;
  const isSince = (at: string | null) => at !== null && !before(now, at);
  const timed: Partial<Record<WorkQueue, boolean>> = {
    notSubmitted: phasesBeforeSubmission.includes(phase),
    submissionFailed: isSince(stuckAt),
    overdue: isAwaitedBefore(overdueBefore(now)),
    longOverdue: isAwaitedBefore(longOverdueBefore(now)),
    purgeDue: isSince(purgeSince),
    purgeLate: purgeSince !== null && before(purgeSince, purgeLateBefore(now)),
  };
  return workQueues.filter((queue) => timed[queue] ?? lasting.includes(queue));
}
