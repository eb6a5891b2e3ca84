import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Target, TargetName } from "./deliveries.ts";
import type { SandboxKeys } from "./sandbox-keys.ts";

export function deliveryTargets(
  keys: SandboxKeys,
  baseUrl: () => string | undefined,
): Readonly<Record<TargetName, Target>> {
  const webhook = new Webhook(keys.automationSecret);
  const at = (path: string) => () => {
    const base = baseUrl();
    return base === undefined ? undefined : `${base}${path}`;
  };
  return {
    stripe: {
      url: at("/api/webhooks/stripe"),
      sign: (_id, body, now) => ({
        "stripe-signature": stripeSignature(keys.stripeWebhookSecret, body, now),
      }),
    },
    gro: {
      url: at("/api/webhooks/gro"),
      sign: (id, body, now) => ({
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": webhook.sign(id, now, body),
      }),
    },
  };
}

/**
 * Signs as Stripe does: https://docs.stripe.com/webhooks/signature. Written independently of the SDK that verifies it.
 */
function stripeSignature(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
