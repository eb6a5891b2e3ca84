import { createHmac } from "node:crypto";

/** Keys shared by the sandbox and the product. Recognisable: none passes for a real one. */
export type SandboxKeys = {
  stripeSecretKey: string;
  stripePublishableKey: string;
  stripeWebhookSecret: string;
  /** In the Standard Webhooks format. */
  automationSecret: string;
  /** Required by the sandbox's pages if the site has a public address. */
  pagesSecret: string;
};

/** Derives all keys from the installation's secret, so they survive a restart. */
export function sandboxKeysOf(installationSecret: Uint8Array): SandboxKeys {
  const derive = (label: string) =>
    createHmac("sha256", installationSecret).update(`sandbox ${label}`).digest();
  return {
    stripeSecretKey: `sk_sandbox_${derive("stripe secret key").toString("hex")}`,
    stripePublishableKey: `pk_sandbox_${derive("stripe publishable key").toString("hex")}`,
    stripeWebhookSecret: `whsec_${derive("stripe webhooks").toString("hex")}`,
    automationSecret: `whsec_${derive("automation").toString("base64")}`,
    pagesSecret: derive("pages").toString("base64url").slice(0, 22),
  };
}
