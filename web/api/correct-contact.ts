import * as z from "zod/mini";
import { api } from "../paths.ts";
import { request, requestJson } from "./request.ts";

/** Who is written to, with address and telephone numbers. */
export const contactSchema = z.object({
  companyName: z.string(),
  email: z.string(),
  /** With the title, as it was given. */
  contactFullName: z.string(),
  contactAddress: z.object({
    Address1: z.string(),
    Address2: z.string(),
    Town: z.string(),
    County: z.string(),
    Country: z.string(),
    PostCode: z.string(),
  }),
  contactPhone: z.object({ Daytime: z.string(), Evening: z.string() }),
});

export type Contact = z.infer<typeof contactSchema>;

/** Section 7's fields of who is written to, address and phones as JSON in a string. What is left out stays as it is. */
export interface ContactChange {
  companyName?: string;
  email?: string;
  contactFullName?: string;
  contactAddress?: string;
  contactPhone?: string;
}

/** GET /api/orders/{id}/contact, for its holder. Kept in memory only. @throws ApiError, 404 once it is destroyed */
export const getContact = (orderId: string): Promise<Contact> =>
  requestJson(contactSchema, "GET", api.contact(orderId));

/** POST /api/orders/{id}/contact; the confirmation goes again while it matters. @throws ApiError, 409 when it is too late, 422 */
export async function correctContact(
  orderId: string,
  change: ContactChange,
  idempotencyKey: string,
): Promise<void> {
  await request("POST", api.contact(orderId), change, { idempotencyKey });
}
