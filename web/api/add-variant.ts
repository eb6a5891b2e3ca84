import type { VariantPayload } from "../../domain/forms/order-payload.ts";
import { api } from "../paths.ts";
import { request } from "./request.ts";

/** POST /api/orders/{id}/variants: what is ordered. @throws ApiError with the refused fields, or the right total */
export async function addVariant(
  orderId: string,
  payload: VariantPayload,
  idempotencyKey: string,
): Promise<void> {
  await request("POST", api.variants(orderId), payload, { idempotencyKey });
}
