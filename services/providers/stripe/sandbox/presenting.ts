import type { JsonObject } from "../../../../infra/json.ts";
import type { Failure, Intent, StripeRefusal } from "./intents.ts";
import type { Dispute, Refund } from "./refunds-and-disputes.ts";

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

export const failureJson = (failure: Failure): JsonObject => ({
  type: "card_error",
  code: failure.code,
  decline_code: failure.declineCode,
  message: failure.message,
});

/** The browser's view of an intent, given its client secret. */
export const publicIntent = (intent: Intent): JsonObject => ({
  id: intent.id,
  object: "payment_intent",
  amount: intent.amount,
  currency: intent.currency,
  status: intent.status,
  client_secret: intent.clientSecret,
  payment_method_types: ["card"],
  last_payment_error: intent.failure && failureJson(intent.failure),
  livemode: false,
  created: seconds(intent.createdAt),
});

/** The server's view, given the secret key. */
export const intentJson = (intent: Intent): JsonObject => ({
  ...publicIntent(intent),
  amount_received: intent.status === "succeeded" ? intent.amount : 0,
  metadata: intent.metadata,
  latest_charge: intent.status === "succeeded" ? intent.id.replace(/^pi_/, "ch_") : null,
});

export const refundJson = (refund: Refund): JsonObject => ({
  id: refund.id,
  object: "refund",
  amount: refund.amount,
  currency: "gbp",
  payment_intent: refund.intentId,
  status: refund.status,
  metadata: refund.metadata,
  created: seconds(refund.createdAt),
  ...(refund.failureReason && { failure_reason: refund.failureReason }),
});

export const disputeJson = (dispute: Dispute): JsonObject => ({
  id: dispute.id,
  object: "dispute",
  amount: dispute.amount,
  currency: "gbp",
  charge: dispute.intentId.replace(/^pi_/, "ch_"),
  payment_intent: dispute.intentId,
  reason: dispute.reason,
  status: dispute.status,
  created: seconds(dispute.createdAt),
  livemode: false,
});

export const eventJson = (id: string, type: string, object: JsonObject, at: Date): JsonObject => ({
  id,
  object: "event",
  type,
  created: seconds(at),
  livemode: false,
  data: { object },
});

export const refusalJson = (refusal: StripeRefusal, intent: JsonObject | undefined): JsonObject => ({
  error: {
    type: refusal.type,
    message: refusal.message,
    ...(refusal.code && { code: refusal.code }),
    ...(refusal.declineCode && { decline_code: refusal.declineCode }),
    ...(intent && { payment_intent: intent }),
  },
});

/** One page of a list; there is never a second, because the caller sets the limit. */
export const listJson = (url: string, data: readonly JsonObject[], limit: number): JsonObject => ({
  object: "list",
  url,
  has_more: data.length === limit,
  data,
});
