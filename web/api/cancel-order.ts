import { api } from "../paths.ts";
import { request } from "./request.ts";

/** Why a customer cancels: they want to, or a changed draft became another order. */
export type CancelReason = "customerRequest" | "replaced";

/** POST /api/orders/{id}/cancel. @throws ApiError, 409 when it is too late */
export async function cancelOrder(
  orderId: string,
  reason: CancelReason,
  idempotencyKey: string,
): Promise<void> {
  await request("POST", api.cancel(orderId), { reason }, { idempotencyKey });
}
