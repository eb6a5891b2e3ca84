import { createHmac } from "node:crypto";

/** Signs as Stripe does: https://docs.stripe.com/webhooks/signature. Written out, so that it is no echo of the SDK that verifies it. */
export function stripeSignature(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
