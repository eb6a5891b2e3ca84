import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Appearance, Stripe, StripeError } from "@stripe/stripe-js";
// The package's `/pure` has no types under Node's resolution; this is the file behind it.
import { loadStripe } from "@stripe/stripe-js/dist/pure.js";
import { type FormEvent, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { useLocation } from "react-router-dom";
import * as z from "zod/mini";
import type { SiteConfig } from "../../../../contract/site/site.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import type { OrderAttempt } from "../../../ordering/checkout/order-attempt.ts";
import { confirmationOf } from "../../../paths.ts";
import { useConfig } from "../../../site/config.ts";
import { toasts } from "../../../ui/toasts/toasts.ts";
import { useCosts } from "../wizard.tsx";

interface CardFormProps {
  attempt: OrderAttempt;
  clientSecret: string;
  /** Asked on pressing Pay; if false, the step says why. */
  mayPay: () => boolean;
  onPaid: (attempt: OrderAttempt) => void;
  /** Called when payment is no longer possible because the order was cancelled. */
  onCancelled: (attempt: OrderAttempt) => void;
}

const darkScheme = matchMedia("(prefers-color-scheme: dark)");
const onScheme = (listener: () => void) => {
  darkScheme.addEventListener("change", listener);
  return () => darkScheme.removeEventListener("change", listener);
};

/** The payment provider's form in our colours. Not shown for a completed or impossible payment. */
export function CardForm({ attempt, clientSecret, mayPay, onPaid, onCancelled }: CardFormProps) {
  const { data: config } = useConfig();
  const [payments, setPayments] = useState<Stripe | null>(null);
  // Renders again, in the other colours, when the scheme changes. What was typed stays.
  useSyncExternalStore(onScheme, () => darkScheme.matches);
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
      // What a form that is gone finds out late must not end the attempt that has taken its place.
      if (!wanted) return null;
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
    <Elements stripe={payments} options={options}>
      <CardFields
        attempt={attempt}
        clientSecret={clientSecret}
        mayPay={mayPay}
        onPaid={onPaid}
        onCancelled={onCancelled}
      />
    </Elements>
  );
}

/** Our design tokens in the provider's format, light or dark like the page. */
function appearanceFrom(tokens: Pick<CSSStyleDeclaration, "getPropertyValue">): Appearance {
  const token = (name: string): string => tokens.getPropertyValue(name).trim();
  const field = token("--color-field");
  return {
    theme: "stripe",
    variables: {
      colorPrimary: token("--color-primary"),
      colorBackground: token("--color-surface"),
      colorText: token("--color-ink"),
      colorTextSecondary: token("--color-muted"),
      colorTextPlaceholder: token("--color-muted"),
      colorDanger: token("--color-danger"),
      borderRadius: "4px",
      fontFamily: "Inter, system-ui, sans-serif",
      fontSizeBase: "16px",
      spacingUnit: "4px",
    },
    rules: {
      ".Input": { border: `1px solid ${field}`, boxShadow: "none", padding: "12px" },
      ".Label": { fontWeight: "600" },
    },
  };
}

const availableWithinMs = 3_000;

/** The card fields and the button that pays. */
function CardFields(props: CardFormProps) {
  const [ready, setReady] = useState(false);
  const [failed, setFailed] = useState(false);
  const late = useLate(ready);
  const { pay, paying, declined } = usePay(props);
  const total = formatPounds(useCosts().totalPence);
  const mode = useConfig().data?.modes.payments;
  const ownFrame = mode === "live" || mode === "test";
  const unavailable = !ready && (late || failed);
  return (
    <form noValidate onSubmit={pay} className="mt-2">
      {unavailable && <Unavailable />}
      <div className="mt-6 rounded-4 border border-hairline bg-surface px-4 py-5 sm:px-6">
        <h2 className="mb-4 text-22">Card</h2>
        <div className="card-frame min-h-56" data-live={ownFrame}>
          <PaymentElement onReady={() => setReady(true)} onLoadError={() => setFailed(true)} />
        </div>
        <p className="mt-4 text-14 text-muted">
          Your card number goes straight to the payment provider. We never see it.
        </p>
      </div>
      {/* Beside the button, which is in view: on a phone the top of the card is not. */}
      {declined && (
        <p role="alert" className="mt-6 border-l-4 border-danger pl-4 font-[600] text-danger">
          {declined}
        </p>
      )}
      <button
        type="submit"
        className="button button-primary mt-6 w-full text-18 sm:w-auto sm:min-w-48"
        disabled={!ready}
        // One that is disabled while it has the focus would lose it.
        aria-disabled={paying || undefined}
      >
        {paying ? `Paying ${total}...` : `Pay ${total}`}
      </button>
    </form>
  );
}

function Unavailable() {
  return (
    <Panel title="Card payment" tone="problem">
      <p>Payment system is temporarily unavailable. Please try again later.</p>
      <p className="text-muted">We’ve kept your order, and you haven’t been charged.</p>
    </Panel>
  );
}

/** True if the form was not ready in time; cleared when it becomes ready after all. */
function useLate(ready: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (ready) return;
    const timer = setTimeout(() => setLate(true), availableWithinMs);
    return () => clearTimeout(timer);
  }, [ready]);
  return late && !ready;
}

/** Charges the card; leaves the page only for the bank's check (3-D Secure). */
function usePay({ attempt, clientSecret, mayPay, onPaid, onCancelled }: CardFormProps) {
  const payments = useStripe();
  const elements = useElements();
  const [paying, setPaying] = useState(false);
  const [declined, setDeclined] = useState(useRefusalByBank());
  const refuse = (title: string, description: string): void => {
    setDeclined(description);
    toasts.show({ title, description, variant: "destructive" });
  };
  const charge = async (): Promise<void> => {
    if (!payments || !elements) return;
    const { error, paymentIntent } = await payments.confirmPayment({
      elements,
      confirmParams: {
        return_url: `${location.origin}${confirmationOf(attempt.orders[0]?.orderNumber ?? "")}`,
      },
      redirect: "if_required",
    });
    const status = paymentIntent?.status ?? (await statusAfter(error));
    if (status === "canceled") return onCancelled(attempt);
    if (status === "succeeded") return onPaid(attempt);
    refuse("Payment Failed", error?.message ?? "An unexpected error occurred");
  };
  /** After an error the intent may be paid all the same: in another tab, or by a charge whose answer was lost. */
  const statusAfter = async (error: StripeError | undefined): Promise<string | undefined> => {
    if (error?.payment_intent) return error.payment_intent.status;
    const known = await payments?.retrievePaymentIntent(clientSecret).catch(() => undefined);
    return known?.paymentIntent?.status;
  };
  const pay = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (paying || !mayPay()) return;
    setPaying(true);
    setDeclined(null);
    // An earlier message about the card must not stay beside this attempt's result.
    toasts.dismissAll();
    try {
      await charge();
    } catch {
      refuse("Payment Error", "An unexpected error occurred during payment processing");
    } finally {
      setPaying(false);
    }
  };
  return { pay, paying, declined };
}

/** The message that a failed check by the bank (3-D Secure) brought back to this step. */
function useRefusalByBank(): string | null {
  const { data } = z.object({ refusal: z.string() }).safeParse(useLocation().state);
  return data?.refusal ?? null;
}

interface PanelProps {
  title: string;
  tone?: "plain" | "problem" | "done";
  children: ReactNode;
}

const borders = { plain: "border-hairline", problem: "border-danger", done: "border-fulfilled" } as const;

/** One state of step 5. */
export function Panel({ title, tone = "plain", children }: PanelProps) {
  return (
    <section
      role={tone === "problem" ? "alert" : "status"}
      className={`mt-6 rounded-4 border bg-surface px-5 py-6 sm:px-6 ${tone === "plain" ? "" : "border-l-4"} ${borders[tone]}`}
    >
      <h2 className="text-22">{title}</h2>
      <div className="mt-3 space-y-4">{children}</div>
    </section>
  );
}

/** The server's messages about a refused request. */
export function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className="list-disc space-y-1 pl-5 text-danger">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}

let loading: Promise<Stripe | null> | undefined;

/**
 * The payment provider's script, loaded once per page; the sandbox's replacement is already loaded. Null on failure.
 */
function loadPayments(config: SiteConfig): Promise<Stripe | null> {
  loading ??= load(config).catch(() => {
    // The card form reports it within 3 seconds; a retry loads it again.
    loading = undefined;
    return null;
  });
  return loading;
}

async function load({ stripeScript, publishableKey }: SiteConfig): Promise<Stripe | null> {
  if (stripeScript !== null) await addScript(stripeScript);
  return loadStripe(publishableKey);
}

function addScript(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error(`${source} could not be loaded`));
    });
    document.head.append(script);
  });
}
