import { z } from "zod";
import { staffReason } from "../../../domain/decider.ts";
import * as field from "../../../domain/fields.ts";
import { optional, required } from "../../../domain/forms/answers.ts";
import { searchKinds } from "../../../domain/order/staff/search-kind.ts";
import { past } from "../order-action-bodies.ts";

/** POST /api/admin/orders/search: what was typed, and what it is. */
export const searchRequest = z.object({
  by: z.enum(searchKinds, "Choose what to search by"),
  text: required("Type what to search for", 254),
});
export type SearchRequest = z.output<typeof searchRequest>;

/** How many orders one bulk action may name. */
export const mostOrdersAtOnce = 200;

const bulk = {
  orders: z
    .array(field.id, "Choose at least one order")
    .min(1, "Choose at least one order")
    .max(mostOrdersAtOnce, `Choose at most ${mostOrdersAtOnce} orders`)
    .transform((ids) => [...new Set(ids)]),
  reason: z.enum(staffReason.options, "Choose a reason"),
  note: optional(2000),
};

/** POST /api/admin/orders/bulk: the same for each of some orders. A note goes to each that it was done for. */
export const bulkRequest = (now: () => Date) =>
  z.discriminatedUnion(
    "action",
    [
      z.object({ action: z.literal("requestSubmission"), ...bulk }),
      z.object({
        action: z.literal("recordDispatch"),
        dispatchedAt: past(now),
        ...bulk,
      }),
      z.object({ action: z.literal("addNote"), ...bulk, note: required("Write a note", 2000) }),
    ],
    "Choose what to do",
  );
export type BulkRequest = z.output<ReturnType<typeof bulkRequest>>;
