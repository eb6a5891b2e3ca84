import { reportPaid, submitOrder } from "../../../contract/orders/ordering.ts";
import { ApiError } from "../../api/problem.ts";
import { send, sendAgain } from "../../api/send.ts";
import { toasts } from "../../ui/toasts/toasts.ts";
import { attempts, draftStore } from "../current-order.ts";
import type { OrderAttempt } from "./order-attempt.ts";
import { createPlacedOrders } from "./placed-orders.ts";

/** What the tabs of this browser have paid for. */
export const placedOrders = createPlacedOrders(localStorage, Date.now);

const paid = { status: "Processing", message: "Order submitted for processing" } as const;

/** Time before the page moves on after success. */
export const redirectAfterMs = 2_000;

/** Outcome: the order is placed; the server knows of no payment; or a call failed. */
export type Finished =
  | { readonly state: "placed"; readonly orderNumber: string }
  | { readonly state: "unpaid" }
  | { readonly state: "unfinished" };

/**
 * Completes an order after the charge, in the page or after a 3-D Secure return: status, submission, notification. Can
 * be repeated. Failures show a notification, except "unpaid", for which the page asks for the card again.
 */
export async function finishOrder(attempt: OrderAttempt): Promise<Finished> {
  const { orderId, orderNumber: ordered, key: idempotencyKey } = attempt;
  if (orderId === null) return { state: "unfinished" };
  attempts.write({ ...attempt, paid: true });
  if (ordered !== null) placedOrders.note(draftStore.current().id, ordered);
  const params = { id: orderId };
  try {
    await sendAgain(() => send(reportPaid, { params, body: paid }, { idempotencyKey }));
    const { orderNumber } = await sendAgain(() => send(submitOrder, { params }, { idempotencyKey }));
    toasts.show({ title: "Payment Successful", description: "Your order has been placed successfully!" });
    return { state: "placed", orderNumber };
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === "payment-not-received") {
      attempts.write({ ...attempt, paid: false });
      if (ordered !== null) placedOrders.withdraw(ordered);
      return { state: "unpaid" };
    }
    // The request helper has logged it. The server completes a paid order by itself; the customer reads that it is
    // uncertain.
    sayUnfinished();
    return { state: "unfinished" };
  }
}

/** The notification for a charged order that could not be completed from here. */
export function sayUnfinished(): void {
  toasts.show({
    title: "Order Processing Error",
    description: "Payment successful but there was an issue finalizing your order. Please contact support.",
    variant: "destructive",
  });
}
