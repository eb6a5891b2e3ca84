import { Refused } from "../../domain/decider.ts";
import { paymentFailureCodeOf } from "../../domain/order/vocabulary.ts";
import type { Intent, PaymentNotice } from "../payments/payments.ts";
import { commandIds } from "./command-ids.ts";
import { confirmIntent } from "./confirm-payment.ts";
import type { Desk } from "./desk.ts";
import type { OnBehalf, Told } from "./orders.ts";
import { PaymentMismatch } from "./payment-outcomes.ts";
import { recordRefund } from "./record-refund.ts";

/**
 * Takes a verified notice of the payment provider. It says only where to look: what is recorded is what the provider answers when asked,
 * so that notices may come twice, late and in any order.
 * @returns undefined when it changes nothing
 */
export async function takePaymentNotice(
  desk: Desk,
  notice: PaymentNotice,
  by: OnBehalf,
): Promise<Told | undefined> {
  if (notice.kind === "other") return undefined;
  const intent = await desk.payments.retrieveIntent(notice.intentId);
  if (intent.orderId === undefined) {
    desk.log.error({ intentId: intent.id }, "a payment names no order");
    return undefined;
  }
  const { orderId } = intent;
  return unlessForeign(desk, intent.id, async () => {
    if (notice.kind === "intent") return takeIntent(desk, orderId, intent, notice.eventId, by);
    const refunds = await desk.payments.refundsOf(intent.id);
    const refund = refunds.find(({ id }) => id === notice.refundId);
    return refund && recordRefund(desk, orderId, refund, by);
  });
}

// Telling the provider to send it again would not make it ours.
async function unlessForeign(desk: Desk, intentId: string, take: () => Promise<Told | undefined>) {
  try {
    return await take();
  } catch (error) {
    const unknown = error instanceof Refused && error.code === "unknown-order";
    if (!unknown && !(error instanceof PaymentMismatch)) throw error;
    desk.log.error({ intentId, fault: error.name }, "a payment notice belongs to no order of ours");
    return undefined;
  }
}

async function takeIntent(
  desk: Desk,
  orderId: string,
  intent: Intent,
  eventId: string,
  by: OnBehalf,
): Promise<Told | undefined> {
  if (intent.status === "succeeded") return confirmIntent(desk, orderId, intent, by);
  if (intent.status !== "unpaid" || intent.failureCode === undefined) return undefined;
  return desk.orders.tell({
    orderId,
    commandId: commandIds.paymentFailed(eventId),
    by,
    command: {
      type: "RecordPaymentFailure",
      data: { intentId: intent.id, code: paymentFailureCodeOf(intent.failureCode) },
    },
  });
}
