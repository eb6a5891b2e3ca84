import { api } from "../paths.ts";
import { request } from "./request.ts";

/** POST /api/orders/access: exchanges the key of a mail's link for the order's cookie. @throws ApiError, 410 when it has expired */
export async function enterByLink(orderNumber: string, key: string): Promise<void> {
  await request("POST", api.access, { orderNumber, key });
}
