import { setOrderProcessing } from "../api/set-order-status.ts";
import { submitOrder } from "../api/submit-order.ts";
import { draftStore } from "../draft/use-draft.ts";
import { toasts } from "../ui/toasts.ts";
import { attempts } from "./attempts.ts";
import type { OrderAttempt } from "./order-attempt.ts";

/** The page stays this long after success, then moves on. */
export const redirectAfterMs = 2_000;

/**
 * What follows a charged card, in the page or after a 3-D Secure return: the status, the submission, the notification.
 * Answers the order number; null when something failed, which is said in a notification. May be repeated.
 */
export async function finishOrder(attempt: OrderAttempt): Promise<string | null> {
  if (attempt.orderId === null) return null;
  attempts.write({ ...attempt, paid: true });
  try {
    await setOrderProcessing(attempt.orderId, attempt.key);
    const { orderNumber } = await submitOrder(attempt.orderId, attempt.key);
    toasts.show({ title: "Payment Successful", description: "Your order has been placed successfully!" });
    return orderNumber;
  } catch {
    // The request helper has logged it. The server finishes a paid order by itself; the customer hears that it is unsure.
    toasts.show({
      title: "Order Processing Error",
      description: "Payment successful but there was an issue finalizing your order. Please contact support.",
      variant: "destructive",
    });
    return null;
  }
}

/** Forgets the draft and its attempt: the order stands. */
export function clearOrder(): void {
  draftStore.reset();
  attempts.forget();
}
