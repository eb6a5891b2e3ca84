import * as own from "../../contract/orders/own-records.ts";
import { Refused } from "../../domain/decider.ts";
import { isUnpaid } from "../../domain/order/phases.ts";
import type { Order } from "../../domain/order/state.ts";
import type { CancellationReason } from "../../domain/order/vocabulary.ts";
import { behalfOf } from "../gateway/guards/identify.ts";
import { holderRoute } from "../gateway/route.ts";
import { PaymentsRefused } from "../providers/stripe/payments.ts";
import type { OrderDependencies } from "./dependencies.ts";
import { assertAcceptable, type OnBehalf, type OrderResult } from "./orders.ts";
import { confirmIntent, PaymentProcessing } from "./payments/provider-reports.ts";
import { presentStatus } from "./requests/present-orders.ts";

/** Each attempt closes the intent it finds; another is needed only if the browser opens a new one meanwhile. */
const mostTries = 3;

/**
 * Cancels an order. Its open intent is cancelled at the provider first, so no card is charged for a cancelled order. If
 * the customer has paid meanwhile, the payment is confirmed: a cancellation then proceeds (policies refund it), but an
 * order that expires or is replaced stays. A repeat gets the order as it is.
 * @throws PaymentProcessing while the card is being charged; Refused once the application is submitted, if the order has
 * changed since `by` saw it, or if one that expires or is replaced was paid
 */
export async function cancelOrder(
  deps: OrderDependencies,
  orderId: string,
  reason: CancellationReason,
  by: OnBehalf,
  commandId = deps.newId(),
): Promise<OrderResult> {
  const cancellation = (closedIntentId: string | null) => ({
    type: "CancelOrder" as const,
    data: { reason, closedIntentId },
  });
  for (let tries = 1; ; tries++) {
    const loaded = await deps.orders.load(orderId);
    // A repeat. Its intent is closed by now, so executing it again would look like another command.
    if (await deps.orders.knows(orderId, commandId)) return deps.orders.load(orderId);
    const { order } = loaded;
    const command = cancellation(order.intents.open?.intentId ?? null);
    assertAcceptable(loaded, { command, commandId, by, at: deps.now() });
    const closedIntentId = await closeOpenIntent(deps, order, by);
    try {
      return await deps.orders.execute({ orderId, commandId, by, command: cancellation(closedIntentId) });
    } catch (error) {
      const reopened = error instanceof Refused && error.rule === "payment-open";
      if (!reopened || tries === mostTries) throw error;
    }
  }
}

async function closeOpenIntent(deps: OrderDependencies, order: Order, by: OnBehalf): Promise<string | null> {
  const { open } = order.intents;
  if (open === null || !isUnpaid(order.phase)) return null;
  const closed = await deps.payments.cancelIntent(open.intentId).catch(unlessUnknown);
  if (!closed || closed.status === "cancelled") return open.intentId;
  if (closed.status !== "succeeded") throw new PaymentProcessing("The card is being charged.");
  await confirmIntent(deps, order.orderId, closed, by);
  // Also if the amount was wrong and the order stays unpaid: this intent can no longer be paid.
  return closed.id;
}

/** An intent that the provider does not know, as after a change of its account, cannot be paid with our keys. */
function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof PaymentsRefused) || error.code !== "notFound") throw error;
}

export const cancel = holderRoute(own.cancelOrder, ({ deps }) => async (call) => {
  const by = behalfOf(call);
  const asked = call.body.reason;
  const reason = by.actor.kind === "staff" && asked === "customerRequest" ? "staffRequest" : asked;
  const { order, position } = await cancelOrder(deps, call.orderId, reason, by);
  return { body: presentStatus(order), position };
});
