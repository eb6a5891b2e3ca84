import * as notices from "../../../contract/providers/notices.ts";
import { Refused } from "../../../domain/decider.ts";
import { paymentFailureCodeOf } from "../../../domain/order/vocabulary.ts";
import { webhookRoute } from "../../gateway/route.ts";
import { type Intent, type PaymentNotice, PaymentsRefused } from "../../providers/stripe/payments.ts";
import { commandIds, uncompared } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import { type OnBehalf, type OrderResult, underOriginalRequest } from "../orders.ts";
import { confirmIntent, type Paid, PaymentMismatch, paidWith, refuseMismatch } from "./provider-reports.ts";
import { recordAnnouncedRefund, recordDispute } from "./returns.ts";

/**
 * Handles a verified webhook of the payment provider. It only says what to fetch: the provider's current answer is
 * recorded, so webhooks may arrive twice, late and in any order.
 * @returns undefined if it changes nothing, or concerns no order of ours
 * @throws PaymentsUnavailable: the provider must send it again
 */
export async function takePaymentNotice(
  deps: OrderDependencies,
  notice: PaymentNotice,
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  if (notice.kind === "other") return undefined;
  return unlessForeign(deps, notice, async () => {
    if (notice.kind === "dispute") return takeDispute(deps, notice.disputeId, by);
    return onItsOrders(deps, notice.intentId, by, async (paid, first, matched) => {
      if (notice.kind === "intent") return takeIntent(deps, first, paid.intent, notice, matched);
      const refunds = await deps.payments.refundsOf(notice.intentId);
      const refund = refunds.find(({ id }) => id === notice.refundId);
      return refund && recordAnnouncedRefund(deps, paid, refund, matched);
    });
  });
}

/** A webhook about a payment that no order of ours requested. */
class ForeignPayment extends Error {
  override name = "ForeignPayment";
}

/**
 * Records what is reported about an intent on the orders that it pays for. The first speaks for all where one is enough.
 * @throws ForeignPayment, PaymentMismatch, Refused `unknown-order`: it is none of ours
 */
async function onItsOrders<T>(
  deps: OrderDependencies,
  intentId: string,
  by: OnBehalf,
  record: (paid: Paid, first: string, by: OnBehalf) => Promise<T>,
): Promise<T> {
  const paid = await paidWith(deps, intentId);
  const [first] = paid.shares;
  if (!first) throw new ForeignPayment("The payment names no order.");
  return underOriginalRequest(deps, first.orderId, by, async (matched) => {
    refuseMismatch(deps, first.orderId, paid);
    return record(paid, first.orderId, matched);
  });
}

async function takeDispute(deps: OrderDependencies, disputeId: string, by: OnBehalf): Promise<OrderResult> {
  const dispute = await deps.payments.retrieveDispute(disputeId);
  if (dispute.intentId === undefined) throw new ForeignPayment("The dispute is about no intent.");
  return onItsOrders(deps, dispute.intentId, by, (paid, first, matched) =>
    recordDispute(deps, first, paid.intent.id, dispute, matched, paid),
  );
}

// Sending it again would not make it ours.
async function unlessForeign(
  deps: OrderDependencies,
  notice: PaymentNotice,
  take: () => Promise<OrderResult | undefined>,
) {
  try {
    return await take();
  } catch (error) {
    const fault = foreignFaultOf(error);
    if (fault === undefined) throw error;
    deps.log.error({ ...notice, fault }, "a payment notice belongs to no order of ours");
    return undefined;
  }
}

/** Why a webhook does not concern us; undefined for any other, possibly transient error. */
function foreignFaultOf(error: unknown): string | undefined {
  if (error instanceof ForeignPayment || error instanceof PaymentMismatch) return error.name;
  if (error instanceof Refused && error.code === "unknown-order") return error.code;
  // Unknown to the provider under our key: it belongs to another account, or to test data since deleted.
  return error instanceof PaymentsRefused && error.code === "notFound" ? error.code : undefined;
}

async function takeIntent(
  deps: OrderDependencies,
  orderId: string,
  intent: Intent,
  { eventId, outcome }: Extract<PaymentNotice, { kind: "intent" }>,
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  if (intent.status === "succeeded") return confirmIntent(deps, orderId, intent, by);
  // Its own notice tells of each refused card: one that claims success may not count it again.
  if (outcome !== "failed" || intent.status !== "unpaid" || intent.failureCode === undefined)
    return undefined;
  return deps.orders.execute({
    orderId,
    commandId: commandIds.paymentFailed(eventId),
    by,
    fingerprint: uncompared,
    command: {
      type: "RecordPaymentFailure",
      data: { intentId: intent.id, code: paymentFailureCodeOf(intent.failureCode) },
    },
  });
}

/** On success the provider does not send it again. */
export const paymentNotice = webhookRoute(
  notices.paymentNotice,
  ({ deps }) =>
    async ({ request, rawBody, correlationId }) => {
      const notice = deps.payments.readWebhook(rawBody, request.get("Stripe-Signature"));
      const by = { actor: { kind: "provider" as const, id: "payments" }, correlationId };
      await takePaymentNotice(deps, notice, by);
      return { body: { received: true } };
    },
);
