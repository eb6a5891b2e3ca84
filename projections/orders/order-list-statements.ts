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
  noDay,
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
  /** Only paid orders, even if neither end is given. */
  readonly paid?: Span | undefined;
  /** Only orders with a promised day. */
  readonly promised?: boolean;
};

/** Where a page begins: after the order with this key, whose sorted column has this value. */
export type Place = { readonly value: string | number; readonly key: string };

/** One page of the list. */
export type PageOfKeys = {
  readonly filter: OrderFilter;
  /** Orders with one payment follow the first of them that passes the filter; `limit` counts each group once. */
  readonly grouped?: boolean | undefined;
  readonly sort: OrderSort;
  readonly descending: boolean;
  readonly after: Place | undefined;
  readonly limit: number;
  /** Reads from the end: the page before `after`, last order first. */
  readonly backwards?: boolean | undefined;
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

/** What an order of the list has to pass, but for its cell. @param row the alias of its row in the table */
function conditionsOf(filter: OrderFilter, now: string, row: string, put: Put): string[] {
  const { queue, checkoutId } = filter;
  return [
    ...(queue === undefined ? [] : [conditionOf(queue, now, put)]),
    ...(filter.recentDuplicates
      ? [...spanConditions("paid_at", { from: recentlyPaidFrom(now) }, put), isDuplicate(row)]
      : []),
    ...(checkoutId === undefined ? [] : [`checkout_id = ${put(checkoutId, "uuid")}`]),
    ...spanConditions("created_at", filter.created, put),
    ...spanConditions("paid_at", filter.paid, put),
    ...(filter.promised ? [`despatch_by < ${put(noDay, "date")}`] : []),
  ];
}

/**
 * The orders of a page, from indexes: where they are grouped, the first of each group. A queue and a checkout are short,
 * a span on an unsorted column is kept short by the caller, and duplicates are looked for among recent payments: these
 * are read whole and sorted. Anything else is merged from the matching cells, each sorted by an index.
 */
function firstsOf(page: PageOfKeys, siblings: string, put: Put): string {
  const { filter, grouped, sort, descending, after, limit, backwards, now } = page;
  const column = sortColumns[sort];
  const isDown = descending !== (backwards ?? false);
  const direction = isDown ? "desc" : "asc";
  const isFirst = `(checkout_id is null or not exists (select from ${ordersTable} as sibling
    where checkout_id = listed.checkout_id and ${siblings}
      and (${column}, key) ${descending ? ">" : "<"} (listed.${column}, listed.key)))`;
  const conditions = [
    ...conditionsOf(filter, now, "listed", put),
    ...(after === undefined
      ? []
      : [
          `(${column}, key) ${isDown ? "<" : ">"} (${put(after.value, types[sort])}, ${put(after.key, "uuid")})`,
        ]),
  ];
  const cells = put(cellsOf(filter), "integer[]");
  const most = put(limit, "bigint");
  const found = `select key as first, ${column} as sorted${grouped ? ", checkout_id as its" : ""}`;
  const inOrder = `order by ${column} ${direction}, key ${direction}`;
  const isRange = (filter.created && sort !== "created") || (filter.paid && sort !== "paid");
  if (filter.queue !== undefined || filter.recentDuplicates || filter.checkoutId !== undefined || isRange) {
    const whole = `${ordersTable} as listed where ${[...conditions, `cell = any(${cells})`].join(" and ")}`;
    if (!grouped) return `${found} from ${whole} ${inOrder} limit ${most}`;
    // Sorted before siblings are looked for: of all that are read, only those of the page then need it.
    const sorted = `select key, ${column}, checkout_id from ${whole} ${inOrder} offset 0`;
    return `${found} from (${sorted}) as listed where ${isFirst} ${inOrder} limit ${most}`;
  }
  const ofCell = ["cell = wanted.cell", ...conditions, ...(grouped ? [isFirst] : [])];
  return `select found.* from unnest(${cells}) as wanted (cell) cross join lateral (
      ${found} from ${ordersTable} as listed where ${ofCell.join(" and ")} ${inOrder} limit ${most}
    ) as found order by found.sorted ${direction}, found.first ${direction} limit ${most}`;
}

/** The entries of a page with the `first` of the group of each, which is itself where the list is not grouped. */
export function pageStatement(page: PageOfKeys): Statement {
  const { filter, grouped, sort, descending, backwards, now } = page;
  const { values, put } = gather();
  const direction = descending !== (backwards ?? false) ? "desc" : "asc";
  const siblings = grouped
    ? [...conditionsOf(filter, now, "sibling", put), `cell = any(${put(cellsOf(filter), "integer[]")})`].join(
        " and ",
      )
    : "";
  const others = grouped
    ? `union all select ${entryColumns} from ${ordersTable} as sibling
      where checkout_id = page.its and key <> page.first and ${siblings}`
    : "";
  const text = `with page as materialized (${firstsOf(page, siblings, put)})
    select shown.*, page.first from page cross join lateral (
      select ${entryColumns} from ${ordersTable} where key = page.first ${others}
    ) as shown order by ${["page.sorted", "page.first", `shown.${sortColumns[sort]}`, "shown.key"]
      .map((each) => `${each} ${direction}`)
      .join(", ")}`;
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
