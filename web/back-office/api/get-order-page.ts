import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const nullableText = z.nullable(z.string());

/** The certificate of a destruction. */
export const receiptSchema = z.object({
  destroyed: z.array(z.string()),
  records: z.number(),
  at: z.string(),
  secondsAfterSubmission: z.nullable(z.number()),
  rule: z.string(),
  probe: z.string(),
  keyFingerprint: z.string(),
});
export type Receipt = z.infer<typeof receiptSchema>;

const holdingSchema = z.object({
  state: z.enum(["sealed", "destroyed", "none"]),
  receipt: z.nullable(receiptSchema),
});
export type Holding = z.infer<typeof holdingSchema>;

export const factSchema = z.object({ name: z.string(), label: z.string(), value: z.string() });
export type Fact = z.infer<typeof factSchema>;

const refundSchema = z.object({
  number: z.nullable(z.number()),
  way: z.enum(["card", "bankTransfer"]),
  amountPence: z.number(),
  reason: z.string(),
  status: z.string(),
  at: z.string(),
});

const disputeSchema = z.object({
  disputeId: z.string(),
  amountPence: z.number(),
  reason: z.string(),
  outcome: nullableText,
  openedAt: z.string(),
});

const paymentSchema = z.object({
  intentId: z.string(),
  amountPence: z.number(),
  unexpected: z.boolean(),
  at: z.string(),
  refundablePence: z.number(),
  refunds: z.array(refundSchema),
  disputes: z.array(disputeSchema),
});
export type Payment = z.infer<typeof paymentSchema>;

const proposalSchema = z.object({
  proposal: z.number(),
  kind: z.string(),
  words: z.string(),
  proposedBy: z.object({ id: z.string(), name: z.string() }),
  status: z.string(),
  at: z.string(),
});

const actionSchema = z.object({ action: z.string(), allowed: z.boolean(), why: nullableText });

export const orderPageSchema = z.object({
  orderId: z.string(),
  orderNumber: z.string(),
  reference: z.string(),
  revision: z.number(),
  status: z.string(),
  phase: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  certificateType: z.nullable(z.enum(["Birth", "Death", "Marriage", "Adoption"])),
  facts: z.array(factSchema),
  promise: z.nullable(
    z.object({
      receivedOn: z.string(),
      despatchBy: z.string(),
      overdue: z.boolean(),
      workingDaysLeft: z.nullable(z.number()),
    }),
  ),
  tasks: z.array(z.object({ task: z.string(), words: z.string() })),
  actions: z.array(actionSchema),
  money: z.object({ paidPence: z.number(), refundedPence: z.number() }),
  payments: z.array(paymentSchema),
  proposals: z.array(proposalSchema),
  submissions: z.array(
    z.object({
      attempt: z.number(),
      channel: z.string(),
      startedAt: z.string(),
      outcome: z.string(),
      at: nullableText,
    }),
  ),
  mails: z.array(z.object({ template: z.string(), result: z.string(), at: z.string() })),
  jobs: z.array(
    z.object({
      name: z.string(),
      words: z.string(),
      dueAt: z.string(),
      lookAt: nullableText,
      tries: z.nullable(z.number()),
    }),
  ),
  personal: z.object({ application: holdingSchema, contact: holdingSchema, notes: z.number() }),
});

/** An order as the back office shows it: all there is to know without opening the vault. Money in pence. */
export type OrderPage = z.infer<typeof orderPageSchema>;

/** GET /api/admin/orders/{orderNumber}. @throws ApiError, 404 when there is none */
export const getOrderPage = (orderNumber: string): Promise<OrderPage> =>
  requestJson(orderPageSchema, "GET", adminApi.order(orderNumber));

/** The order, read again whenever `mutate` says so. */
export const useOrderPage = (orderNumber: string) =>
  useSWR(adminApi.order(orderNumber), () => getOrderPage(orderNumber), { revalidateIfStale: true });
