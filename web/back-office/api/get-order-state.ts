import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { factSchema } from "./get-order-page.ts";
import { changeSchema } from "./get-order-timeline.ts";

export const orderStateSchema = z.object({
  revision: z.number(),
  at: z.string(),
  phase: z.string(),
  facts: z.array(factSchema),
  changes: z.array(changeSchema),
});

/** An order right after one of its events. */
export type OrderState = z.infer<typeof orderStateSchema>;

/** GET /api/admin/orders/{orderNumber}/timeline?at=. @throws ApiError, 404 when the order has no such event */
export const getOrderState = (orderNumber: string, revision: number): Promise<OrderState> =>
  requestJson(orderStateSchema, "GET", adminApi.orderState(orderNumber, revision));

/** The order as of a revision, none while it is null. What has happened never changes, so each is asked for once. */
export const useOrderState = (orderNumber: string, revision: number | null) =>
  useSWR(
    revision === null ? null : adminApi.orderState(orderNumber, revision),
    () => getOrderState(orderNumber, revision ?? 0),
    { keepPreviousData: true },
  );
