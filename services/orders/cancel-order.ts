import * as own from "../../contract/orders/own-records.ts";
import { Refused } from "../../domain/decider.ts";
import { isUnpaid } from "../../domain/order/phases.ts";
import type { Order } from "../../domain/order/state.ts";
import type { CancellationReason } from "../../domain/order/vocabulary.ts";
import { behalfOf } from "../gateway/guards/identify.ts";
import { holderRoute } from "../gateway/route.ts";
import { PaymentsRefused } from "../providers/stripe/payments.ts";
import type { OrderDependencies } from "./dependencies.ts";
import type { OnBehalf, OrderResult } from "./orders.ts";
import { confirmIntent, PaymentProcessing } from "./payments/provider-reports.ts";
import { presentStatus } from "./requests/present-orders.ts";

/** Each attempt closes the intent it finds; another is needed only if the browser opens a new one meanwhile. */
const mostTries = 3;

/**
 * Cancels an order. Its open intent is cancelled at the provider first, so no card is charged for a cancelled order. If
 * the customer has paid meanwhile, the payment is confirmed: a cancellation then proceeds (policies refund it), but an
 * order that expires or is replaced stays.
 * @throws PaymentProcessing while the card is being charged; Refused once the application is submitted, or if an order
 * that expires or is replaced was paid
 */
export async function cancelOrder(
  deps: OrderDependencies,
  orderId: string,
  reason: CancellationReason,
  by: OnBehalf,
  commandId = deps.newId(),
): Promise<OrderResult> {
  for (let tries = 1; ; tries++) {
    const { order } = await deps.orders.load(orderId);
    const closedIntentId = await closeOpenIntent(deps, order, by);
    try {
      return await deps.orders.execute({
        orderId,
        commandId,
        by,
        command: { type: "CancelOrder", data: { reason, closedIntentId } },
      });
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
