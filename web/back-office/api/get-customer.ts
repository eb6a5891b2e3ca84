import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const orderRules = ["submitted", "cancelled", "failed", "neverPaid", "retention", "erasure"] as const;
const rule = z.enum([...orderRules, "orderPurged"]);

const heldSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("none") }),
  z.object({ state: z.literal("destroyed"), at: z.string(), rule }),
  z.object({ state: z.literal("due"), until: z.string(), rule }),
  z.object({
    state: z.literal("needed"),
    for: z.enum(["order", "refund", "dispute", "mail", "conversation"]),
  }),
]);

const outcomeSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("erased") }),
  z.object({ outcome: z.literal("gone") }),
  z.object({ outcome: z.literal("set"), until: z.string(), because: z.string() }),
  z.object({ outcome: z.literal("kept"), because: z.string(), ground: z.string() }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

const orderSchema = z.object({
  /** What live updates name. */
  id: z.string(),
  orderNumber: z.string(),
  status: z.string(),
  createdAt: z.string(),
  certificateType: z.nullable(z.string()),
  copies: z.nullable(z.number()),
  serviceLevel: z.nullable(z.string()),
  totalPence: z.number(),
  application: heldSchema,
  contact: heldSchema,
  erasureRequestedAt: z.nullable(z.string()),
  erasure: z.object({ application: outcomeSchema, contact: outcomeSchema }),
});
export type CustomerOrder = z.infer<typeof orderSchema>;

const ticketSchema = z.object({
  id: z.string(),
  ticketNumber: z.string(),
  category: z.string(),
  status: z.string(),
  openedAt: z.string(),
  linkedOrderNumber: z.nullable(z.string()),
  texts: heldSchema,
  erasureRequestedAt: z.nullable(z.string()),
  erasure: outcomeSchema,
});
export type CustomerTicket = z.infer<typeof ticketSchema>;

/** A customer as staff see one: name and address by their first letters only. */
export const customerSchema = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  orders: z.array(orderSchema),
  tickets: z.array(ticketSchema),
  more: z.boolean(),
});
export type Customer = z.infer<typeof customerSchema>;

/** GET /api/admin/customers/{id}. @throws ApiError, 404 also once everything of them was destroyed */
export const useCustomer = (id: string) =>
  useSWR(adminApi.customer(id), () => requestJson(customerSchema, "GET", adminApi.customer(id)));
