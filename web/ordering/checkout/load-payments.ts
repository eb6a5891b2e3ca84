import type { Stripe } from "@stripe/stripe-js";
// The package's `/pure` has no types under Node's resolution; this is the file behind it.
import { loadStripe } from "@stripe/stripe-js/dist/pure.js";
import type { SiteConfig } from "../../../contract/site/site.ts";

let loading: Promise<Stripe | null> | undefined;

/**
 * The payment provider's script, loaded once per page; the sandbox's replacement is already loaded. Null on failure.
 */
export function loadPayments(config: SiteConfig): Promise<Stripe | null> {
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
