import * as z from "zod/mini";
import { api } from "../paths.ts";
import { requestJson } from "./request.ts";

/** POST /api/orders/{id}/submit. */
export const submittedOrder = z.object({ orderNumber: z.string().check(z.minLength(1)) });

/** Asks for the submission of a paid order. @throws ApiError; a zod error when the order number is missing */
export const submitOrder = (orderId: string, idempotencyKey: string) =>
  requestJson(submittedOrder, "POST", api.submit(orderId), {}, { idempotencyKey });
