import * as z from "zod/mini";
import { api } from "../paths.ts";
import { request, requestJson } from "./request.ts";

const contact = z.object({ contactFullName: z.string() });

/** GET /api/orders/{id}/contact: the holder's full name, title included, as it was given. @throws ApiError, 404 once it is destroyed */
export const getContactName = async (orderId: string): Promise<string> =>
  (await requestJson(contact, "GET", api.contact(orderId))).contactFullName;

/** POST /api/orders/{id}/contact: another e-mail address; the confirmation goes to it again. @throws ApiError */
export async function correctEmail(orderId: string, email: string, idempotencyKey: string): Promise<void> {
  await request("POST", api.contact(orderId), { email }, { idempotencyKey });
}
