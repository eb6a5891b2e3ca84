import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { attempts } from "../../checkout/attempts.ts";
import { clearOrder, finishOrder } from "../../checkout/finish-order.ts";
import { confirmationOf, pages } from "../../paths.ts";
import { toasts } from "../../ui/toasts.ts";

/** Runs by payment intent: React runs effects twice, and an order is finished once. */
const underWay = new Map<string, Promise<string | null>>();

/**
 * Finishes an order whose card the bank wanted to check (3-D Secure): as after a success in the page, then the address is
 * cleaned. A check that failed leads back to step 5. Answers true while that is going on.
 */
export function usePaymentReturn(parameters: URLSearchParams): boolean {
  const intent = parameters.get("payment_intent");
  const failed = parameters.get("redirect_status") === "failed";
  const orderNumber = parameters.get("orderNumber") ?? "";
  const navigate = useNavigate();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (intent === null) return;
    if (failed) {
      toasts.show({
        title: "Payment Failed",
        description: "Your bank did not approve the payment. Please try again, or use another card.",
        variant: "destructive",
      });
      navigate(pages.order, { replace: true, state: { step: 5 } });
      return;
    }
    void finishOnce(intent).then((finished) => {
      setDone(true);
      navigate(confirmationOf(finished ?? orderNumber), { replace: true });
    });
  }, [intent, failed, orderNumber, navigate]);
  return intent !== null && !done;
}

function finishOnce(intent: string): Promise<string | null> {
  const known = underWay.get(intent) ?? finish();
  underWay.set(intent, known);
  return known;
}

/** In another tab or browser there is no attempt to finish: the provider's own message finishes it on the server. */
async function finish(): Promise<string | null> {
  const attempt = attempts.read();
  if (!attempt) return null;
  const orderNumber = await finishOrder(attempt);
  if (orderNumber !== null) clearOrder();
  return orderNumber;
}
