import * as z from "zod/mini";
import type { SearchKind } from "../../../domain/order/staff/search-kind.ts";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { orderLineSchema } from "./get-orders.ts";

const foundSchema = z.object({ orders: z.array(orderLineSchema), more: z.boolean() });
export type Found = z.infer<typeof foundSchema>;

/** What was typed travels in the body: no address and no log holds it. @throws ApiError */
export const searchOrders = (by: SearchKind, text: string): Promise<Found> =>
  requestJson(foundSchema, "POST", adminApi.ordersSearch, { by, text });
