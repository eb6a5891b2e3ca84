import * as z from "zod/mini";
import type { orderPayloadOf } from "../../domain/forms/order-payload.ts";
import { api } from "../paths.ts";
import { requestJson } from "./request.ts";

/** POST /api/orders: the new order's id and number, and the label that goes with its variant. */
export const createdOrder = z.object({
  id: z.string(),
  orderNumber: z.optional(z.string()),
  reference: z.optional(z.string()),
});

/** Makes an order. A repeat under the same key answers the same order. @throws ApiError with the refused fields */
export const createOrder = (payload: ReturnType<typeof orderPayloadOf>, idempotencyKey: string) =>
  requestJson(createdOrder, "POST", api.orders, payload, { idempotencyKey });
