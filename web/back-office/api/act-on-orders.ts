import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

/** The same act for many orders, by their ids. */
export type BulkAct = {
  readonly orders: readonly string[];
  readonly reason: string;
  readonly note: string;
} & (
  | { readonly action: "requestSubmission" | "addNote" }
  | { readonly action: "recordDispatch"; readonly dispatchedAt: string }
);

const outcomesSchema = z.object({
  outcomes: z.array(
    z.object({
      id: z.string(),
      orderNumber: z.nullable(z.string()),
      outcome: z.enum(["done", "unchanged", "refused", "failed"]),
      /** The rule that refused, or the code of what went wrong. */
      why: z.nullable(z.string()),
    }),
  ),
});
export type BulkOutcome = z.infer<typeof outcomesSchema>["outcomes"][number];

/** POST /api/admin/orders/bulk. A repeat under the same key does nothing twice. @throws ApiError */
export async function actOnOrders(act: BulkAct, idempotencyKey: string): Promise<readonly BulkOutcome[]> {
  const answer = await requestJson(outcomesSchema, "POST", adminApi.ordersBulk, act, { idempotencyKey });
  return answer.outcomes;
}
