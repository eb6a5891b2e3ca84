import { z } from "zod";
import { createOrderRequest } from "../../domain/forms/order-requests.ts";

/** POST /api/orders/{id}/cancel: `replaced` when the draft changed and a new order takes this one's place. */
export const cancelRequest = z.object({
  reason: z
    .enum(["customerRequest", "replaced"], "Reason must be customerRequest or replaced")
    .default("customerRequest"),
});
export type CancelRequest = z.output<typeof cancelRequest>;

/** POST /api/orders/access: the two parts of the link in a mail. */
export const accessRequest = z.object({
  orderNumber: z.string("Order number is required").trim().min(1, "Order number is required").max(60),
  key: z.string("Key is required").trim().min(1, "Key is required").max(60),
});
export type AccessRequest = z.output<typeof accessRequest>;

const contactFields = createOrderRequest.in.pick({
  companyName: true,
  email: true,
  contactFullName: true,
  contactAddress: true,
  contactPhone: true,
});

/** POST /api/orders/{id}/contact: POST /api/orders' own fields, any of them; what is left out stays as it is. */
export const contactRequest = contactFields.partial().refine((change) => Object.keys(change).length > 0, {
  path: ["email"],
  error: "Please enter a valid email address",
});
export type ContactRequest = z.output<typeof contactRequest>;

/** POST /api/orders/{id}/application: read by the schema of the order's own variant, once the order is known. */
export const applicationRequest = z.looseObject({});
export type ApplicationRequest = z.output<typeof applicationRequest>;
