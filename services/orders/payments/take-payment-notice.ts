import { Refused } from "../../../domain/decider.ts";
import { paymentFailureCodeOf } from "../../../domain/order/vocabulary.ts";
import { type Intent, type PaymentNotice, PaymentsRefused } from "../../providers/stripe/payments.ts";
import { commandIds, uncompared } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import { leadBack } from "../lead-back.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";
import { confirmIntent } from "./confirm-payment.ts";
import { PaymentMismatch } from "./payment-outcomes.ts";
import { recordDispute } from "./record-dispute.ts";
import { recordRefund } from "./record-refund.ts";

/**
 * Takes a verified notice of the payment provider. It says only where to look: what is recorded is what the provider answers when asked,
 * so that notices may come twice, late and in any order.
 * @returns undefined when it changes nothing, or is about nothing of ours
 * @throws PaymentsUnavailable: then it has to be sent again
 */
export async function takePaymentNotice(
  deps: OrderDependencies,
  notice: PaymentNotice,
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  if (notice.kind === "other") return undefined;
  return unlessForeign(deps, notice, async () => {
    if (notice.kind === "dispute") return takeDispute(deps, notice.disputeId, by);
    const { intent, orderId } = await findOrder(deps, notice.intentId);
    return leadBack(deps, orderId, by, async (led) => {
      if (notice.kind === "intent") return takeIntent(deps, orderId, intent, notice.eventId, led);
      const refunds = await deps.payments.refundsOf(intent.id);
      const refund = refunds.find(({ id }) => id === notice.refundId);
      return refund && recordRefund(deps, orderId, refund, led);
    });
  });
}

/** A notice about a payment that no order of ours asked for. */
class ForeignPayment extends Error {
  override name = "ForeignPayment";
}

async function findOrder(
  deps: OrderDependencies,
  intentId: string,
): Promise<{ intent: Intent; orderId: string }> {
  const intent = await deps.payments.retrieveIntent(intentId);
  if (intent.orderId === undefined) throw new ForeignPayment("The payment names no order.");
  return { intent, orderId: intent.orderId };
}

async function takeDispute(deps: OrderDependencies, disputeId: string, by: OnBehalf): Promise<OrderResult> {
  const dispute = await deps.payments.retrieveDispute(disputeId);
  if (dispute.intentId === undefined) throw new ForeignPayment("The dispute is about no intent.");
  const { intent, orderId } = await findOrder(deps, dispute.intentId);
  return leadBack(deps, orderId, by, (led) => recordDispute(deps, orderId, intent.id, dispute, led));
}

// Telling the provider to send it again would not make it ours.
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

/** How a notice shows that it is none of ours; undefined for any other error, which may pass. */
function foreignFaultOf(error: unknown): string | undefined {
  if (error instanceof ForeignPayment || error instanceof PaymentMismatch) return error.name;
  if (error instanceof Refused && error.code === "unknown-order") return error.code;
  // The provider itself has no such thing under our key: another account's, or of before it was emptied.
  return error instanceof PaymentsRefused && error.code === "notFound" ? error.code : undefined;
}

async function takeIntent(
  deps: OrderDependencies,
  orderId: string,
  intent: Intent,
  eventId: string,
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  if (intent.status === "succeeded") return confirmIntent(deps, orderId, intent, by);
  if (intent.status !== "unpaid" || intent.failureCode === undefined) return undefined;
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
