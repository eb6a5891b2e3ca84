import { z } from "zod";
import type { Read } from "../../../../contract/request.ts";
import { endOfDay, givenInstant, placeIn, placeText } from "../../../../contract/shapes.ts";
import { type exportOrders, linesPerPage, type listOrders } from "../../../../contract/staff-orders/list.ts";
import type { CalendarDate } from "../../../../domain/calendar-date.ts";
import * as field from "../../../../domain/fields.ts";
import type { OrderSort } from "../../../../domain/order/staff/work-queues.ts";
import { startOfDay } from "../../../../domain/promise/london-time.ts";
import type { OrderListRequest } from "../../../../projections/orders/order-list-queries.ts";
import type { OrderFilter, Place, Span } from "../../../../projections/orders/order-list-statements.ts";
import { invalidFields } from "../../../gateway/errors/problem.ts";

/** Most days of a date range that is not the sort key: such a range is read whole before sorting. */
const mostDaysSortedOtherwise = 31;

const dayMs = 86_400_000;

/** Values allowed in each sort column; the database must accept all of them. */
const values: Readonly<Record<OrderSort, z.core.$ZodType<string | number>>> = {
  created: givenInstant,
  paid: givenInstant,
  updated: givenInstant,
  total: field.pence,
  despatch: field.date,
};

const placeOf = (sort: OrderSort): z.ZodType<Place> =>
  z.tuple([z.literal(sort), values[sort], field.id]).transform(([, value, key]) => ({ value, key }));

/** A place in the list under one sort order, encoded for a URL. */
export const cursorOf = (sort: OrderSort, { value, key }: Place): string => placeText([sort, value, key]);

/** From the beginning of the first day in London to the end of the last. */
function spanOf(from: CalendarDate | undefined, to: CalendarDate | undefined): Span | undefined {
  if (from === undefined && to === undefined) return undefined;
  return { from: from && startOfDay(from), before: to && endOfDay(to) };
}

const isShort = ({ from, before }: Span): boolean =>
  from !== undefined &&
  before !== undefined &&
  Date.parse(before) - Date.parse(from) <= mostDaysSortedOtherwise * dayMs + 3_600_000;

type Filters = Read<typeof exportOrders>;

/** Filters and sort order, without the page. */
type OrderListChoice = Pick<OrderListRequest, "filter" | "grouped" | "sort" | "descending">;

function choose(chosen: Filters, errors: Record<string, string>): OrderListChoice {
  const sort = chosen.sort ?? "created";
  const descending = chosen.direction !== "ascending";
  const spans = {
    created: spanOf(chosen.createdFrom, chosen.createdTo),
    paid: spanOf(chosen.paidFrom, chosen.paidTo),
  };
  for (const name of ["created", "paid"] as const) {
    const span = spans[name];
    if (span === undefined || sort === name || isShort(span)) continue;
    errors[`${name}From`] =
      `Choose both days, at most ${mostDaysSortedOtherwise} apart, or sort by that date`;
  }
  // Orders without that day sort to the end of time: the latest first, they would come before all others.
  const filter: OrderFilter = {
    created: spans.created,
    paid: spans.paid ?? (sort === "paid" && descending ? {} : undefined),
    promised: sort === "despatch" && descending,
    queue: chosen.queue,
    recentDuplicates: chosen.duplicates === "recent",
    checkoutId: chosen.checkout,
    statuses: chosen.status,
    phases: chosen.phase,
    certificateTypes: chosen.type,
    serviceLevels: chosen.service,
  };
  return {
    filter,
    grouped: chosen.group === "payment",
    sort,
    descending,
  };
}

function refuse(errors: Readonly<Record<string, string>>): void {
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

/** Parameters of an export: filters and direction. @throws Problem 422 */
export function choiceOf(filters: Filters): OrderListChoice {
  const errors: Record<string, string> = {};
  const choice = choose(filters, errors);
  refuse(errors);
  return choice;
}

/** Parameters of a list: filters, sort order, and the boundary of the previous or next page. @throws Problem 422 */
export function pageOf({
  limit = linesPerPage,
  after,
  before,
  ...filters
}: Read<typeof listOrders>): OrderListPageChoice {
  const errors: Record<string, string> = {};
  const choice = choose(filters, errors);
  const place = (name: "after" | "before", cursor: string | undefined): Place | undefined => {
    if (cursor === undefined) return undefined;
    const found = placeIn(cursor, placeOf(choice.sort));
    if (found === undefined) errors[name] = "Use the `next` or `previous` of a page of the same list";
    return found;
  };
  const page = { ...choice, limit, after: place("after", after), before: place("before", before) };
  refuse(errors);
  return page;
}

type OrderListPageChoice = Omit<OrderListRequest, "now">;
