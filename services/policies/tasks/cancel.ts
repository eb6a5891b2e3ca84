import { cancelOrder } from "../../orders/cancel-order.ts";
import { confirmIntent } from "../../orders/payments/confirm-payment.ts";
import { PaymentProcessing } from "../../orders/payments/payment-outcomes.ts";
import type { Intent } from "../../providers/stripe/payments.ts";
import type { DutyParts, Errand, Outcome } from "../task-dependencies.ts";
import { takeUpForgottenSubmission } from "./forgotten-submission.ts";

/** Cancels an order that ran out of time. What the provider has meanwhile, or had before a restore, is confirmed first. */
export async function cancel(parts: DutyParts, errand: Errand<"cancel">): Promise<Outcome> {
  const { order, duty, by } = errand;
  if (duty.reason === "unconfirmed" && (await takeUpForgottenSubmission(parts, order, by))) return "told";
  try {
    await settleForgottenIntents(parts, errand);
    await cancelOrder(parts.desk, order.orderId, duty.reason, by);
    return "told";
  } catch (error) {
    if (error instanceof PaymentProcessing) return "later";
    throw error;
  }
}

/** Intents of the order that its log does not name, or does not name as paid. The open one is left to the cancellation. */
async function settleForgottenIntents({ desk }: DutyParts, { order, by }: Errand<"cancel">): Promise<void> {
  const paid = new Set(order.payments.map(({ intentId }) => intentId));
  for (const intent of await desk.payments.intentsOf(order.orderId)) {
    if (paid.has(intent.id) || intent.id === order.intents.open?.intentId) continue;
    const closed: Intent = intent.status === "unpaid" ? await desk.payments.cancelIntent(intent.id) : intent;
    if (closed.status === "processing") throw new PaymentProcessing("The card is being charged.");
    if (closed.status === "succeeded") await confirmIntent(desk, order.orderId, closed, by);
  }
}
