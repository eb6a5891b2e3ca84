import { z } from "zod";
import type { CalendarDate } from "../../../domain/calendar-date.ts";
import * as field from "../../../domain/fields.ts";
import { phases } from "../../../domain/order/phases.ts";
import { type OrderSort, orderSorts, workQueues } from "../../../domain/order/staff/work-queues.ts";
import { orderStatuses } from "../../../domain/order/status.ts";
import { certificateType, serviceLevel } from "../../../domain/order/vocabulary.ts";
import { startOfDay } from "../../../projections/figures.ts";
import type { OrderListRequest } from "../../../projections/order-list/order-list-queries.ts";
import type { OrderFilter, Place, Span } from "../../../projections/order-list/order-list-statements.ts";
import { endOfDay, listDay, perPage, placeIn, placeText } from "./list-parameters.ts";

/** A span of another date than the one sorted by is read whole before it is sorted: so many days at most. */
export const mostDaysSortedOtherwise = 31;

const dayMs = 86_400_000;

/** A list in one parameter, divided by commas. */
const listOf = <const Words extends readonly string[]>(words: Words, message: string) =>
  z
    .string(message)
    .transform((text, context) => {
      const parsed = z.array(z.enum(words)).max(words.length).safeParse(text.split(",").filter(Boolean));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .optional();

/** What a column sorted by may hold; the database must understand every one of them. */
const values: Readonly<Record<OrderSort, z.ZodType<string | number>>> = {
  created: field.instant,
  paid: field.instant,
  updated: field.instant,
  total: field.pence,
  despatch: field.date,
};

const placeOf = (sort: OrderSort): z.ZodType<Place> =>
  z.tuple([z.literal(sort), values[sort], field.id]).transform(([, value, key]) => ({ value, key }));

/** A place in the list, which counts for one way to sort it, as it stands in an address. */
export const cursorOf = (sort: OrderSort, { value, key }: Place): string => placeText([sort, value, key]);

const filters = z.object({
  status: listOf(orderStatuses, "There is no such status"),
  phase: listOf(phases, "There is no such phase"),
  type: listOf(certificateType.options, "There is no such certificate"),
  service: listOf(serviceLevel.options, "There is no such service level"),
  queue: z.enum(workQueues, "There is no such queue").optional(),
  createdFrom: listDay,
  createdTo: listDay,
  paidFrom: listDay,
  paidTo: listDay,
  sort: z.enum(orderSorts, "The list cannot be sorted by that").optional(),
  direction: z.enum(["ascending", "descending"], "Use ascending or descending").optional(),
});

/** From the beginning of the first day in London to the end of the last. */
function spanOf(from: CalendarDate | undefined, to: CalendarDate | undefined): Span | undefined {
  if (from === undefined && to === undefined) return undefined;
  return { from: from && startOfDay(from), before: to && endOfDay(to) };
}

const isShort = ({ from, before }: Span): boolean =>
  from !== undefined &&
  before !== undefined &&
  Date.parse(before) - Date.parse(from) <= mostDaysSortedOtherwise * dayMs + 3_600_000;

type Chosen = z.infer<typeof filters>;

/** What a list is asked for, without its page. */
export type OrderListChoice = Pick<OrderListRequest, "filter" | "sort" | "descending">;

function choiceOf(chosen: Chosen, context: z.RefinementCtx): OrderListChoice {
  const sort = chosen.sort ?? "created";
  const spans = {
    created: spanOf(chosen.createdFrom, chosen.createdTo),
    paid: spanOf(chosen.paidFrom, chosen.paidTo),
  };
  for (const name of ["created", "paid"] as const) {
    const span = spans[name];
    if (span === undefined || sort === name || isShort(span)) continue;
    const message = `Choose both days, at most ${mostDaysSortedOtherwise} apart, or sort by that date`;
    context.addIssue({ code: "custom", message, path: [`${name}From`] });
  }
  const filter: OrderFilter = {
    ...spans,
    queue: chosen.queue,
    statuses: chosen.status,
    phases: chosen.phase,
    certificateTypes: chosen.type,
    serviceLevels: chosen.service,
  };
  return { filter, sort, descending: chosen.direction !== "ascending" };
}

/** The query of the export: filters and order, and no page. */
export const exportRequest: z.ZodType<OrderListChoice> = filters.transform(choiceOf);

/** The query of the list: filters, order, 1 to 200 a page, from where another page ended or began. */
export const listRequest: z.ZodType<Omit<OrderListRequest, "now">> = filters
  .extend({
    limit: perPage,
    after: z.string().max(300).optional(),
    before: z.string().max(300).optional(),
  })
  .transform((asked, context) => {
    const { limit = 50, after, before, ...chosen } = asked;
    const choice = choiceOf(chosen, context);
    const place = (name: "after" | "before", cursor: string | undefined) => {
      if (cursor === undefined) return undefined;
      const found = placeIn(cursor, placeOf(choice.sort));
      if (found === undefined) {
        const message = "Use the `next` or `previous` of a page of the same list";
        context.addIssue({ code: "custom", message, path: [name] });
      }
      return found;
    };
    return { ...choice, limit, after: place("after", after), before: place("before", before) };
  });
