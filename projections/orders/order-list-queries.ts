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
import type { Pool } from "../../infra/postgres/pool.ts";
import {
  type EntryRow,
  entryColumns,
  entryOf,
  noDay,
  noMoment,
  type OrderListEntry,
} from "./order-list-columns.ts";
import { countStatement, type OrderFilter, type Place, pageStatement } from "./order-list-statements.ts";
import { idsAmong, ordersTable } from "./orders.ts";

export type OrderListRequest = {
  readonly filter: OrderFilter;
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
   * Every matching order, a thousand at a time, as fast as they are consumed. May include orders that arrive meanwhile.
   */
  everyOrder(
    request: Pick<OrderListRequest, "filter" | "sort" | "descending" | "now">,
  ): AsyncIterable<readonly OrderListEntry[]>;
  /** Orders in each queue, counted up to one above the bound. */
  countQueues(now: string, most: number): Promise<ReadonlyMap<WorkQueue, number>>;
  /** Lines of the list by order id, unordered; unknown ids are omitted. At most 200. */
  listedOrders(orderIds: readonly string[]): Promise<readonly OrderListEntry[]>;
};

const mostPerPage = 200;
const perBatch = 1_000;

/** Queries of the list. Paged by key, so that a new order does not shift pages. */
export function orderListQueries(pool: Pool): OrderListQueries {
  return {
    async listOrders(request) {
      const { sort, descending, after, before: end } = request;
      const limit = Math.min(Math.max(Math.trunc(request.limit), 1), mostPerPage);
      const isBackwards = end !== undefined;
      const statement = pageStatement({
        ...request,
        descending: descending !== isBackwards,
        after: end ?? after,
        limit: limit + 1,
      });
      const { rows } = await pool.query<EntryRow>(statement.text, [...statement.values]);
      const read = rows.slice(0, limit).map(entryOf);
      const orders = isBackwards ? read.toReversed() : read;
      const hasMore = rows.length > limit;
      // A page reached from another one has it as a neighbour.
      const [hasNext, hasPrevious] = isBackwards ? [true, hasMore] : [hasMore, after !== undefined];
      return {
        orders,
        next: hasNext ? placeOf(orders.at(-1), sort) : null,
        previous: hasPrevious ? placeOf(orders[0], sort) : null,
      };
    },
    async *everyOrder(request) {
      let after: Place | undefined;
      do {
        const statement = pageStatement({ ...request, after, limit: perBatch });
        const { rows } = await pool.query<EntryRow>(statement.text, [...statement.values]);
        const read = rows.map(entryOf);
        if (read.length > 0) yield read;
        after = rows.length < perBatch ? undefined : (placeOf(read.at(-1), request.sort) ?? undefined);
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
        text: `select ${entryColumns} from ${ordersTable} where key = any($1) limit ${mostPerPage}`,
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
