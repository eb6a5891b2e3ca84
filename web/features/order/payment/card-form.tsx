import { Elements } from "@stripe/react-stripe-js";
import type { Stripe } from "@stripe/stripe-js";
import { useEffect, useState, useSyncExternalStore } from "react";
import { loadPayments } from "../../../checkout/load-payments.ts";
import type { OrderAttempt } from "../../../checkout/order-attempt.ts";
import { useConfig } from "../../../site/config.ts";
import { appearanceFrom } from "./appearance.ts";
import { CardFields } from "./card-fields.tsx";

interface CardFormProps {
  attempt: OrderAttempt;
  clientSecret: string;
  onPaid: (attempt: OrderAttempt) => void;
  /** Called when the payment can no longer be made: the order was cancelled. */
  onCancelled: (attempt: OrderAttempt) => void;
}

const darkScheme = matchMedia("(prefers-color-scheme: dark)");
const onScheme = (listener: () => void) => {
  darkScheme.addEventListener("change", listener);
  return () => darkScheme.removeEventListener("change", listener);
};

/** The payment provider's form in our colours. A payment that has already gone through, or can no longer be made, is not asked for. */
export function CardForm({ attempt, clientSecret, onPaid, onCancelled }: CardFormProps) {
  const { data: config } = useConfig();
  const [payments, setPayments] = useState<Stripe | null>(null);
  const dark = useSyncExternalStore(onScheme, () => darkScheme.matches);
  useEffect(() => {
    let wanted = true;
    if (config) {
      void readyPayments().then((found) => {
        if (wanted && found) setPayments(found);
      });
    }
    return () => {
      wanted = false;
    };
    async function readyPayments(): Promise<Stripe | null> {
      if (!config) return null;
      const found = await loadPayments(config);
      const known = await found?.retrievePaymentIntent(clientSecret).catch(() => undefined);
      const status = known?.paymentIntent?.status;
      if (status !== "succeeded" && status !== "canceled") return found;
      if (status === "succeeded") onPaid(attempt);
      else onCancelled(attempt);
      return null;
    }
  }, [config, clientSecret, attempt, onPaid, onCancelled]);
  const options = {
    clientSecret,
    appearance: appearanceFrom(getComputedStyle(document.documentElement)),
  };
  return (
    <Elements key={dark ? "dark" : "light"} stripe={payments} options={options}>
      <CardFields attempt={attempt} onPaid={onPaid} onCancelled={onCancelled} />
    </Elements>
  );
}
