import { Refused } from "../../../domain/decider.ts";
import { assertPayable } from "../../../domain/order/payment/decide-payment.ts";
import type { Order } from "../../../domain/order/state.ts";
import { commandIds } from "../command-ids.ts";
import type { Desk } from "../dependencies.ts";
import type { OnBehalf, Told } from "../orders.ts";
import { confirmIntent } from "./confirm-payment.ts";
import { PaymentProcessing } from "./payment-outcomes.ts";

/** `clientSecret` lets the browser pay; it is never logged and never stored. */
export type PaymentToMake = Told & { readonly clientSecret: string };

/**
 * Gives the browser an intent to pay. One is open at a time: asked again it is the same, and a new one is made only after the old was
 * cancelled at the provider.
 * @throws Refused without variant, terms or consent, for another amount, and once paid; PaymentProcessing while the card is charged
 */
export async function requestPayment(
  desk: Desk,
  orderId: string,
  amountPence: number,
  by: OnBehalf,
): Promise<PaymentToMake> {
  const told = await desk.orders.load(orderId);
  const { order } = told;
  const { open } = order.intents;
  assertPayable(order, amountPence);
  if (open === null) return openIntent(desk, order, amountPence, null, by);

  const standing = await desk.payments.retrieveIntent(open.intentId);
  const fits = standing.status === "unpaid" && standing.amountPence === amountPence;
  if (fits) return { ...told, clientSecret: standing.clientSecret };
  const closed = standing.status === "unpaid" ? await desk.payments.cancelIntent(open.intentId) : standing;
  if (closed.status === "cancelled") return openIntent(desk, order, amountPence, closed.id, by);
  if (closed.status !== "succeeded") throw new PaymentProcessing("The card is being charged.");
  const { order: paid } = await confirmIntent(desk, orderId, closed, by);
  // It was paid meanwhile: the order itself says why it takes no more money.
  assertPayable(paid, amountPence);
  throw new PaymentProcessing("Money came that did not pay for the order; it goes back first.");
}

async function openIntent(
  desk: Desk,
  order: Order,
  amountPence: number,
  closedIntentId: string | null,
  by: OnBehalf,
): Promise<PaymentToMake> {
  const { orderId } = order;
  const attempt = order.intents.count + 1;
  const intent = await desk.payments.createIntent({ orderId, amountPence, attempt });
  const data = { intentId: intent.id, amountPence, attempt, closedIntentId };
  try {
    const commandId = commandIds.paymentRequested(intent.id);
    const told = await desk.orders.tell({
      orderId,
      commandId,
      by,
      command: { type: "RequestPayment", data },
    });
    return { ...told, clientSecret: intent.clientSecret };
  } catch (error) {
    if (error instanceof Refused) await closeUnnamed(desk, orderId, intent.id);
    throw error;
  }
}

// The order moved on (was cancelled, say) while the intent was made: what it does not name may never be paid.
async function closeUnnamed(desk: Desk, orderId: string, intentId: string): Promise<void> {
  const { order } = await desk.orders.load(orderId);
  if (order.intents.open?.intentId !== intentId) await desk.payments.cancelIntent(intentId);
}
