import { z } from "zod";
import { id as ownId } from "../../../domain/fields.ts";
import { paymentFailureCodeOf } from "../../../domain/order/vocabulary.ts";
import type { Intent, PaymentNotice, ProviderDispute, ProviderRefund } from "./payments.ts";

/**
 * Version of the request and response formats. Pinned, so neither a newer SDK nor an account's default changes them
 * unnoticed; the SDK of this release types no other. The webhook endpoint may use another: we read only ids of an
 * event.
 */
export const stripeApiVersion = "2026-10-28.endive";

/** The fields we read of Stripe's answers: any other field never reaches us. */

const statuses = {
  requires_payment_method: "unpaid",
  requires_confirmation: "unpaid",
  requires_action: "unpaid",
  // Cards are captured at once here, so the payment is on its way.
  requires_capture: "processing",
  processing: "processing",
  succeeded: "succeeded",
  canceled: "cancelled",
} as const;

const refundStatuses = {
  pending: "pending",
  requires_action: "pending",
  succeeded: "succeeded",
  failed: "failed",
  canceled: "failed",
} as const;

const code = z.string().nullish();

const intent = z.object({
  object: z.literal("payment_intent"),
  id: z.string(),
  status: z.enum([
    "requires_payment_method",
    "requires_confirmation",
    "requires_action",
    "requires_capture",
    "processing",
    "succeeded",
    "canceled",
  ]),
  amount: z.int(),
  amount_received: z.int(),
  currency: z.string(),
  client_secret: z.string(),
  metadata: z.record(z.string(), z.string()),
  last_payment_error: z.object({ code, decline_code: code }).nullish(),
});

const refund = z.object({
  object: z.literal("refund"),
  id: z.string(),
  status: z.enum(["pending", "requires_action", "succeeded", "failed", "canceled"]),
  amount: z.int(),
  payment_intent: z.string(),
  metadata: z.record(z.string(), z.string()).nullish(),
  failure_reason: code,
});

/** An id of ours in the metadata. Other software that shares the account may write anything there. */
const ownIdIn = (text: string | undefined): string | undefined => ownId.safeParse(text).data;

const attempt = z.coerce.number().int().min(1);

/** The more specific of Stripe's two codes: the bank's reason if we know it, else the general one. */
function failureCodeOf(failure: z.infer<typeof intent>["last_payment_error"]): string | undefined {
  const reason = failure?.decline_code ?? undefined;
  if (reason !== undefined && paymentFailureCodeOf(reason) !== "other") return reason;
  return failure?.code ?? reason;
}

/** @throws ZodError when the answer is not a payment intent */
export function parseIntent(answer: unknown): Intent {
  const read = intent.parse(answer);
  const status = statuses[read.status];
  return {
    id: read.id,
    status,
    amountPence: status === "succeeded" ? read.amount_received : read.amount,
    currency: read.currency,
    orderId: ownIdIn(read.metadata.orderId),
    checkoutId: ownIdIn(read.metadata.checkoutId),
    attempt: attempt.safeParse(read.metadata.attempt).data,
    clientSecret: read.client_secret,
    failureCode: failureCodeOf(read.last_payment_error),
  };
}

/** @throws ZodError when the answer is not a refund of a payment intent */
export function parseRefund(answer: unknown): ProviderRefund {
  const read = refund.parse(answer);
  return {
    id: read.id,
    refundId: read.metadata?.refundId,
    intentId: read.payment_intent,
    amountPence: read.amount,
    status: refundStatuses[read.status],
    failureCode: read.failure_reason ?? undefined,
  };
}

const disputeOutcomes = new Map<string, ProviderDispute["outcome"]>(
  Object.entries({
    won: "won",
    lost: "lost",
    warning_closed: "warningClosed",
    // Resolved before becoming a dispute: the cardholder was refunded, and that is reported as a refund.
    prevented: "warningClosed",
  } as const),
);

const dispute = z.object({
  object: z.literal("dispute"),
  id: z.string(),
  status: z.string(),
  amount: z.int(),
  reason: z.string(),
  payment_intent: z.string().nullish(),
});

/**
 * An unknown status counts as open: no refund is made until it is known.
 * @throws ZodError when the answer is not a dispute
 */
export function parseDispute(answer: unknown): ProviderDispute {
  const read = dispute.parse(answer);
  return {
    id: read.id,
    intentId: read.payment_intent ?? undefined,
    amountPence: read.amount,
    reason: read.reason,
    outcome: disputeOutcomes.get(read.status),
  };
}

/** Event types that the webhook endpoint in the provider's dashboard must send, and that are asked for when lost. */
export const takenEvents = [
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
] as const;

const event = z.object({ id: z.string(), type: z.string(), data: z.object({ object: z.unknown() }) });
const taken: ReadonlySet<string> = new Set(takenEvents);
const noticeObject = z.discriminatedUnion("object", [
  z.object({ object: z.literal("payment_intent"), id: z.string() }),
  z.object({ object: z.literal("refund"), id: z.string(), payment_intent: z.string() }),
  z.object({ object: z.literal("dispute"), id: z.string() }),
]);

/**
 * The subject of a verified event. Types that are not taken have none: an intent's creation, delivered after its first
 * refused card, would record a second refusal.
 * @throws ZodError when it is not an event
 */
export function parseNotice(body: unknown): PaymentNotice {
  const { id: eventId, type, data } = event.parse(body);
  if (!taken.has(type)) return { eventId, kind: "other" };
  const { data: object } = noticeObject.safeParse(data.object);
  if (object?.object === "payment_intent") {
    const outcome = type === "payment_intent.succeeded" ? "succeeded" : "failed";
    return { eventId, kind: "intent", intentId: object.id, outcome };
  }
  if (object?.object === "refund") {
    return { eventId, kind: "refund", intentId: object.payment_intent, refundId: object.id };
  }
  if (object?.object === "dispute") return { eventId, kind: "dispute", disputeId: object.id };
  return { eventId, kind: "other" };
}
