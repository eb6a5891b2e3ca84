import { phasesBeforeSubmission } from "../../domain/order/phases.ts";
import {
  longOverdueBefore,
  type OrderSort,
  overdueBefore,
  purgeLateBefore,
  recentlyPaidFrom,
  type WorkQueue,
} from "../../domain/order/staff/work-queues.ts";
import { isDuplicate } from "./duplicates.ts";
import {
  type CellFilter,
  cellsOf,
  entryColumns,
  flagColumns,
  noMoment,
  sortColumns,
} from "./order-list-columns.ts";
import { ordersTable } from "./orders.ts";

/** From the first moment, before the second; either may be omitted. ISO 8601 in UTC. */
export type Span = { readonly from?: string | undefined; readonly before?: string | undefined };

/** A filter of the list. */
export type OrderFilter = CellFilter & {
  readonly queue?: WorkQueue | undefined;
  /** Only possible duplicates that were paid recently. */
  readonly recentDuplicates?: boolean;
  /** Only the orders of one checkout. */
  readonly checkoutId?: string | undefined;
  readonly created?: Span | undefined;
  readonly paid?: Span | undefined;
};

/** Where a page begins: after the order with this key, whose sorted column has this value. */
export type Place = { readonly value: string | number; readonly key: string };

/** One page, in reading direction. */
export type PageOfKeys = {
  readonly filter: OrderFilter;
  readonly sort: OrderSort;
  readonly descending: boolean;
  readonly after: Place | undefined;
  readonly limit: number;
  readonly now: string;
};

/** SQL and its numbered values. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] };

const types = {
  created: "timestamptz",
  paid: "timestamptz",
  updated: "timestamptz",
  total: "integer",
  despatch: "date",
} as const satisfies Record<OrderSort, string>;

/** Adds a value and returns its placeholder. */
type Put = (value: unknown, type: string) => string;

function gather(): { values: unknown[]; put: Put } {
  const values: unknown[] = [];
  return { values, put: (value, type) => `$${values.push(value)}::${type}` };
}

/** The condition of a queue. A time-dependent one compares a stored column with the time, so that an index is used. */
function conditionOf(queue: WorkQueue, now: string, put: Put): string {
  switch (queue) {
    case "notSubmitted":
      return `cell = any(${put(cellsOf({ phases: phasesBeforeSubmission }), "integer[]")})`;
    case "submissionFailed":
      return `stuck_at <= ${put(now, "timestamptz")}`;
    case "overdue":
      return `awaited_by < ${put(overdueBefore(now), "date")}`;
    case "longOverdue":
      return `awaited_by < ${put(longOverdueBefore(now), "date")}`;
    case "purgeDue":
      return `purge_since <= ${put(now, "timestamptz")}`;
    case "purgeLate":
      return `purge_since < ${put(purgeLateBefore(now), "timestamptz")}`;
    default:
      return flagColumns[queue];
  }
}

function spanConditions(column: string, span: Span | undefined, put: Put): string[] {
  if (span === undefined) return [];
  const { from, before } = span;
  return [
    ...(from === undefined ? [] : [`${column} >= ${put(from, "timestamptz")}`]),
    // Unpaid orders sort to the end of time.
    `${column} < ${put(before ?? noMoment, "timestamptz")}`,
  ];
}

/**
 * The keys of a page, from indexes. A queue and a checkout are short, a span on an unsorted column is kept short by the
 * caller, and duplicates are looked for among recent payments: these are read whole and sorted. Anything else is merged from the
 * matching cells, each sorted by an index.
 */
function keysOf({ filter, sort, descending, after, limit, now }: PageOfKeys, put: Put): string {
  const column = sortColumns[sort];
  const direction = descending ? "desc" : "asc";
  const conditions = [
    ...spanConditions("created_at", filter.created, put),
    ...spanConditions("paid_at", filter.paid, put),
    ...(after === undefined
      ? []
      : [
          `(${column}, key) ${descending ? "<" : ">"} (${put(after.value, types[sort])}, ${put(after.key, "uuid")})`,
        ]),
  ];
  const cells = put(cellsOf(filter), "integer[]");
  const most = put(limit, "bigint");
  const isRange = (filter.created && sort !== "created") || (filter.paid && sort !== "paid");
  const { queue: wanted, checkoutId } = filter;
  if (wanted !== undefined || filter.recentDuplicates || checkoutId !== undefined || isRange) {
    const queue = wanted === undefined ? [] : [conditionOf(wanted, now, put)];
    const checkout = checkoutId === undefined ? [] : [`checkout_id = ${put(checkoutId, "uuid")}`];
    const duplicates = filter.recentDuplicates
      ? [...spanConditions("paid_at", { from: recentlyPaidFrom(now) }, put), isDuplicate]
      : [];
    const all = [...queue, ...duplicates, ...checkout, `cell = any(${cells})`, ...conditions];
    return `select key, ${column} as sorted from ${ordersTable} where ${all.join(" and ")}
      order by ${column} ${direction}, key ${direction} limit ${most}`;
  }
  const all = ["cell = wanted.cell", ...conditions];
  return `select found.key, found.sorted from unnest(${cells}) as wanted (cell) cross join lateral (
      select key, ${column} as sorted from ${ordersTable} where ${all.join(" and ")}
      order by ${column} ${direction}, key ${direction} limit ${most}
    ) as found order by found.sorted ${direction}, found.key ${direction} limit ${most}`;
}

/** The entries of a page, in reading direction. */
export function pageStatement(page: PageOfKeys): Statement {
  const { values, put } = gather();
  const direction = page.descending ? "desc" : "asc";
  const text = `with page as materialized (${keysOf(page, put)})
    select ${entryColumns} from page join ${ordersTable} using (key) order by page.sorted ${direction}, key ${direction}`;
  return { text, values };
}

/** Counts some queues, each up to a bound: one row with a column per queue. */
export function countStatement(queues: readonly WorkQueue[], most: number, now: string): Statement {
  const { values, put } = gather();
  const bound = put(most, "bigint");
  const counts = queues.map(
    (queue) => `(select count(*)::integer from (
      select 1 from ${ordersTable} where ${conditionOf(queue, now, put)} limit ${bound}
    ) as bounded) as "${queue}"`,
  );
  return { text: `select ${counts.join(", ")}`, values };
}
