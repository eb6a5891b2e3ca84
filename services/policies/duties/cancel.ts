import { cancelOrder } from "../../commands/cancel-order.ts";
import { confirmIntent } from "../../commands/confirm-payment.ts";
import { PaymentProcessing } from "../../commands/payment-outcomes.ts";
import type { DutyParts, Errand, Outcome } from "../errand.ts";

/** Cancels an order that ran out of time. What the provider has meanwhile, or had before a restore, is confirmed first. */
export async function cancel({ desk }: DutyParts, { order, duty, by }: Errand<"cancel">): Promise<Outcome> {
  const known = new Set(order.payments.map(({ intentId }) => intentId));
  for (const intent of await desk.payments.intentsOf(order.orderId)) {
    if (intent.status === "succeeded" && !known.has(intent.id))
      await confirmIntent(desk, order.orderId, intent, by);
  }
  try {
    await cancelOrder(desk, order.orderId, duty.reason, by);
    return "settled";
  } catch (error) {
    if (error instanceof PaymentProcessing) return "later";
    throw error;
  }
}
