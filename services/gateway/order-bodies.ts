import { z } from "zod";

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
