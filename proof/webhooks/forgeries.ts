import { createHmac } from "node:crypto";
import { z } from "zod";
import type { Webhook } from "./relay.ts";

/** A webhook that its provider never sent, made from one that it did. */
export type Forgery = { readonly kind: string; readonly webhook: Webhook; readonly status: number };

const event = z.looseObject({ data: z.looseObject({ object: z.looseObject({}) }) });
const tooOldSeconds = 600;

/**
 * Webhooks which claim that an intent was paid. The last is signed as the provider would: the product takes it, asks
 * the provider and changes nothing.
 */
export function forgeriesOf(genuine: Webhook, intentId: string, secret: string): readonly Forgery[] {
  const original = event.parse(JSON.parse(genuine.body));
  const object = { ...original.data.object, id: intentId, object: "payment_intent", status: "succeeded" };
  const body = JSON.stringify({ ...original, type: "payment_intent.succeeded", data: { object } });
  const { path, headers } = genuine;
  const now = Math.floor(Date.now() / 1000);
  const signedBy = (signature: string): Webhook => ({
    path,
    headers: { "stripe-signature": signature },
    body,
  });
  return [
    { kind: "with the signature of another", webhook: { path, headers, body }, status: 400 },
    { kind: "without a signature", webhook: { path, headers: {}, body }, status: 400 },
    { kind: "signed with another secret", webhook: signedBy(sign("whsec_guessed", body, now)), status: 400 },
    {
      kind: "signed ten minutes ago",
      webhook: signedBy(sign(secret, body, now - tooOldSeconds)),
      status: 400,
    },
    { kind: "signed with the secret, and untrue", webhook: signedBy(sign(secret, body, now)), status: 200 },
  ];
}

/** https://docs.stripe.com/webhooks/signature */
function sign(secret: string, body: string, atSeconds: number): string {
  const digest = createHmac("sha256", secret).update(`${atSeconds}.${body}`).digest("hex");
  return `t=${atSeconds},v1=${digest}`;
}
