import * as z from "zod/mini";
import { mostOrders } from "../../domain/checkout/shares.ts";
import { staffReason } from "../../domain/decider.ts";
import * as field from "../../domain/fields.ts";
import { optional, required } from "../../domain/forms/answers.ts";
import { parseOrderNumber } from "../../domain/numbers.ts";
import { phases } from "../../domain/order/phases.ts";
import { orderSorts, workQueues } from "../../domain/order/staff/work-queues.ts";
import { orderStatuses } from "../../domain/order/status.ts";
import { certificateType, serviceLevel } from "../../domain/order/vocabulary.ts";
import { answers, everyRole, get, post, type Sent, staff, table } from "../request.ts";
import { duplicatesShown, listDay, past, perPage } from "../shapes.ts";

/** What an order is searched by. All but the number are found by blind index, without a look at the data. */
export const searchKinds = ["number", "email", "surname", "postcode"] as const;
export type SearchKind = (typeof searchKinds)[number];

const postcode = /^[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{2}$/i;

/** What the text in the single search box probably is. */
export function searchKindOf(typed: string): SearchKind {
  const text = typed.trim();
  if (text.includes("@")) return "email";
  if (parseOrderNumber(text) !== undefined) return "number";
  return postcode.test(text) ? "postcode" : "surname";
}

export const bulkAnswer = z
  .object({
    outcomes: z.array(
      z.object({
        id: field.id,
        orderNumber: z.nullable(field.orderNumber),
        outcome: z.enum(["done", "unchanged", "refused", "failed"]),
        why: z.nullable(z.string()),
      }),
    ),
  })
  .register(z.globalRegistry, { id: "BulkOutcomes" });

export const listedShown = z
  .object({
    id: field.id,
    orderNumber: field.orderNumber,
    status: z.enum(orderStatuses),
    phase: z.enum(phases),
    certificateType: z.nullable(certificateType),
    serviceLevel: z.nullable(serviceLevel),
    copies: z.nullable(z.int()),
    totalPence: z.int(),
    createdAt: field.instant,
    paidAt: z.nullable(field.instant),
    updatedAt: field.instant,
    despatchBy: z.nullable(field.date),
    queues: z.array(z.enum(workQueues)),
    duplicates: duplicatesShown,
    /** Orders that share one are, or were to be, paid for together; null where the order stands alone. */
    checkoutId: z.nullable(field.id),
  })
  .register(z.globalRegistry, { id: "ListedOrder" });

export const orderListAnswer = z
  .object({ orders: z.array(listedShown), next: z.nullable(z.string()), previous: z.nullable(z.string()) })
  .register(z.globalRegistry, { id: "OrderList" });

export const foundAnswer = z
  .object({ orders: z.array(listedShown), more: z.boolean() })
  .register(z.globalRegistry, { id: "FoundOrders" });

/** A comma-separated list in one parameter. */
const listOf = <const Words extends readonly string[]>(words: Words, message: string) =>
  z.optional(
    z.pipe(
      z.string(message),
      z.transform((text, context) => {
        const several = z.array(z.enum(words)).check(z.maxLength(words.length));
        const parsed = z.safeParse(several, text.split(",").filter(Boolean));
        if (parsed.success) return parsed.data;
        context.issues.push({ code: "custom", message, input: text });
        return z.NEVER;
      }),
    ),
  );

const filters = {
  status: listOf(orderStatuses, "There is no such status"),
  phase: listOf(phases, "There is no such phase"),
  type: listOf(certificateType.options, "There is no such certificate"),
  service: listOf(serviceLevel.options, "There is no such service level"),
  queue: z.optional(z.enum(workQueues, "There is no such queue")),
  duplicates: z.optional(z.literal("recent", "Use recent: possible duplicates paid in the last 31 days")),
  checkout: z.optional(field.id),
  createdFrom: listDay,
  createdTo: listDay,
  paidFrom: listDay,
  paidTo: listDay,
  /** Orders that are paid for together stand beside each other; `limit` counts them once. An export ignores it. */
  group: z.optional(
    z.literal("payment", "Use payment: orders that are paid for together stand beside each other"),
  ),
  /** Descending, `paid` and `despatch` leave out orders without that day; ascending, they come last. */
  sort: z.optional(z.enum(orderSorts, "The list cannot be sorted by that")),
  direction: z.optional(z.enum(["ascending", "descending"], "Use ascending or descending")),
};

const cursor = z.optional(z.string().check(z.maxLength(300)));

/** Orders on a page of the back office; where they are grouped, payments. */
export const linesPerPage = 50;

export const listOrders = get("/api/admin/orders", {
  summary: "The list of orders",
  from: everyRole,
  limit: "reads",
  query: z.object({ ...filters, limit: perPage, after: cursor, before: cursor }),
  answers: answers(orderListAnswer),
});

/** The search text travels in the body: URLs and logs never hold it. */
export const searchOrders = post("/api/admin/orders/search", {
  summary: "Find orders by number or by customer details",
  from: staff,
  limit: "lookups",
  body: z.object({
    by: z.enum(searchKinds, "Choose what to search by"),
    text: required("Enter something to search for", 254),
  }),
  answers: answers(foundAnswer),
});

export const exportOrders = get("/api/admin/orders.csv", {
  summary: "The list of orders as a CSV file",
  from: staff,
  limit: "lookups",
  withinSeconds: 60,
  query: z.object(filters),
  answers: table("text/csv"),
});

/** All that a page can select at once: a payment is for several orders, and is never divided between pages. */
const mostOrdersAtOnce = linesPerPage * mostOrders;

const bulk = {
  orders: z.pipe(
    z
      .array(field.id, "Choose at least one order")
      .check(
        z.minLength(1, "Choose at least one order"),
        z.maxLength(mostOrdersAtOnce, `Choose at most ${mostOrdersAtOnce} orders`),
      ),
    z.transform((ids) => [...new Set(ids)]),
  ),
  reason: z.enum(staffReason.options, "Choose a reason"),
  note: optional(2000),
};

/** A note is added to each order the action succeeded for. */
export const actOnOrders = post("/api/admin/orders/bulk", {
  summary: "Carry out one action on several orders",
  from: staff,
  limit: "commands",
  withinSeconds: 60,
  body: ({ now }) =>
    z.discriminatedUnion(
      "action",
      [
        z.object({ action: z.literal("requestSubmission"), ...bulk }),
        z.object({ action: z.literal("recordDispatch"), dispatchedAt: past(now), ...bulk }),
        z.object({ action: z.literal("addNote"), ...bulk, note: required("Write a note", 2000) }),
      ],
      "Choose an action",
    ),
  answers: answers(bulkAnswer),
});

export type OrderLine = z.output<typeof listedShown>;
export type FoundOrders = z.output<typeof foundAnswer>;
export type BulkAct = Sent<typeof actOnOrders>;
export type BulkOutcome = z.output<typeof bulkAnswer>["outcomes"][number];
