import { createHmac } from "node:crypto";

/** The keys that the sandbox and the product share. They look like what they are: none passes for a real one. */
export type SandboxKeys = {
  stripeSecretKey: string;
  stripePublishableKey: string;
  stripeWebhookSecret: string;
  /** In the form of the Standard Webhooks specification. */
  automationSecret: string;
  /** What the sandbox's pages ask for where the site has a public address. */
  pagesSecret: string;
};

/** Derives all keys from one secret of the installation, so that they are the same after a restart. */
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
