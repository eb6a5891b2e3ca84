import { reportCheckoutPaid } from "../../../contract/orders/checkouts.ts";
import { reportPaid, submitOrder } from "../../../contract/orders/ordering.ts";
import { ApiError } from "../../api/problem.ts";
import { send, sendAgain } from "../../api/send.ts";
import { toasts } from "../../ui/toasts/toasts.ts";
import { attempts, draftStore } from "../current-order.ts";
import { certificatesOf } from "../draft/basket.ts";
import type { OrderAttempt } from "./order-attempt.ts";
import { createPlacedOrders } from "./placed-orders.ts";

/** What the tabs of this browser have paid for. */
export const placedOrders = createPlacedOrders(localStorage, Date.now);

const paid = { status: "Processing", message: "Order submitted for processing" } as const;

/** Time before the page moves on after success. */
export const redirectAfterMs = 2_000;

/** Outcome: the orders are placed, `orderNumber` is the first one's; the server knows of no payment; or a call failed. */
export type Finished =
  | { readonly state: "placed"; readonly orderNumber: string }
  | { readonly state: "unpaid" }
  | { readonly state: "unfinished" };

/**
 * Completes the orders after the charge, in the page or after a 3-D Secure return: submission, notification. Can be
 * repeated. Failures show a notification, except "unpaid", for which the page asks for the card again.
 */
export async function finishOrder(attempt: OrderAttempt): Promise<Finished> {
  const [first] = attempt.orders;
  if (!first) return { state: "unfinished" };
  attempts.write({ ...attempt, paid: true });
  notePlaced(attempt.orders.map(({ orderNumber }) => orderNumber));
  try {
    await submit(attempt, first.orderId);
    toasts.show({ title: "Payment Successful", description: placedWords(attempt) });
    return { state: "placed", orderNumber: first.orderNumber };
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === "payment-not-received") {
      attempts.write({ ...attempt, paid: false });
      for (const { orderNumber } of attempt.orders) placedOrders.withdraw(orderNumber);
      return { state: "unpaid" };
    }
    // The request helper has logged it. The server completes a paid order by itself; the customer reads that it is
    // uncertain.
    sayUnfinished();
    return { state: "unfinished" };
  }
}

/** Notes paid orders of the draft, in the sequence of its certificates; of a draft that has fewer now, by its last. */
export function notePlaced(orderNumbers: readonly string[]): void {
  const certificates = certificatesOf(draftStore.current());
  for (const [place, orderNumber] of orderNumbers.entries()) {
    placedOrders.note((certificates[place] ?? certificates.at(-1))?.id ?? "", orderNumber);
  }
}

/** Reports the payment and has what it pays for submitted, in one request where it pays for several. */
async function submit({ checkoutId, key: idempotencyKey }: OrderAttempt, orderId: string): Promise<void> {
  if (checkoutId === null) {
    const params = { id: orderId };
    await sendAgain(() => send(reportPaid, { params, body: paid }, { idempotencyKey }));
    await sendAgain(() => send(submitOrder, { params }, { idempotencyKey }));
    return;
  }
  const params = { id: checkoutId };
  await sendAgain(() => send(reportCheckoutPaid, { params, body: paid }, { idempotencyKey }));
}

const placedWords = ({ orders }: OrderAttempt): string =>
  orders.length === 1
    ? "Your order has been placed successfully!"
    : "Your orders have been placed successfully!";

/** The notification for a charged order that could not be completed from here. */
export function sayUnfinished(): void {
  toasts.show({
    title: "Order Processing Error",
    description: "Payment successful but there was an issue finalizing your order. Please contact support.",
    variant: "destructive",
  });
}
