import { api } from "../paths.ts";
import { request } from "./request.ts";

/** POST /api/orders/{id}/status: says that the card was charged; the server asks the provider. @throws ApiError when it was not */
export async function setOrderProcessing(orderId: string, idempotencyKey: string): Promise<void> {
  const body = { status: "Processing", message: "Order submitted for processing" };
  await request("POST", api.status(orderId), body, { idempotencyKey });
}
