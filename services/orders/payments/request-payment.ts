import * as ordering from "../../../contract/orders/ordering.ts";
import { Refused } from "../../../domain/decider.ts";
import { assertPayable } from "../../../domain/order/payment/decide-payment.ts";
import type { Order } from "../../../domain/order/state.ts";
import { behalfOf } from "../../gateway/guards/identify.ts";
import { holderRoute } from "../../gateway/route.ts";
import { commandIds } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";
import { confirmIntent, PaymentProcessing } from "./provider-reports.ts";

/** `clientSecret` lets the browser pay; it is never logged and never stored. */
type PaymentToMake = OrderResult & { readonly clientSecret: string };

/**
 * Returns a payment intent for the browser. One is open at a time: repeated requests get the same one, and a new one is
 * created only after the old was cancelled at the provider.
 * @throws Refused without variant, terms or consent, for a different amount, and once paid; PaymentProcessing while the
 * card is being charged
 */
export async function requestPayment(
  deps: OrderDependencies,
  orderId: string,
  amountPence: number,
  by: OnBehalf,
): Promise<PaymentToMake> {
  const result = await deps.orders.load(orderId);
  const { order } = result;
  const { open } = order.intents;
  assertPayable(order, amountPence);
  if (open === null) return openIntent(deps, order, amountPence, null, by);

  const standing = await deps.payments.retrieveIntent(open.intentId);
  const fits = standing.status === "unpaid" && standing.amountPence === amountPence;
  if (fits) return { ...result, clientSecret: standing.clientSecret };
  const closed = standing.status === "unpaid" ? await deps.payments.cancelIntent(open.intentId) : standing;
  if (closed.status === "cancelled") return openIntent(deps, order, amountPence, closed.id, by);
  if (closed.status !== "succeeded") throw new PaymentProcessing("The card is being charged.");
  const { order: paid } = await confirmIntent(deps, orderId, closed, by);
  // It was paid meanwhile: the order states why it accepts no further payment.
  assertPayable(paid, amountPence);
  throw new PaymentProcessing("Money came that did not pay for the order; it goes back first.");
}

async function openIntent(
  deps: OrderDependencies,
  order: Order,
  amountPence: number,
  closedIntentId: string | null,
  by: OnBehalf,
): Promise<PaymentToMake> {
  const { orderId } = order;
  const attempt = order.intents.count + 1;
  const intent = await deps.payments.createIntent({ orderId, amountPence, attempt });
  const data = { intentId: intent.id, amountPence, attempt, closedIntentId };
  try {
    const commandId = commandIds.paymentRequested(intent.id);
    const result = await deps.orders.execute({
      orderId,
      commandId,
      by,
      command: { type: "RequestPayment", data },
    });
    return { ...result, clientSecret: intent.clientSecret };
  } catch (error) {
    if (error instanceof Refused) await closeUnnamed(deps, orderId, intent.id);
    throw error;
  }
}

// The order changed, perhaps was cancelled, while the intent was created: an intent it does not name must never be
// paid.
async function closeUnnamed(deps: OrderDependencies, orderId: string, intentId: string): Promise<void> {
  const { order } = await deps.orders.load(orderId);
  if (order.intents.open?.intentId !== intentId) await deps.payments.cancelIntent(intentId);
}

export const createPaymentIntent = holderRoute(ordering.createPaymentIntent, ({ deps }) => async (call) => {
  const { amountPence } = call.body;
  const { clientSecret, position } = await requestPayment(deps, call.orderId, amountPence, behalfOf(call));
  return { body: { clientSecret }, position };
});
