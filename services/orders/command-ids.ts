import type { DeriveId } from "../vault/record-ids.ts";

/**
 * Ids of commands that tell a fact from outside. Whoever reports it (webhook, browser, policy, sweep) makes the same id, so that it is
 * told once.
 */
export const commandIds = {
  paymentRequested: (intentId: string) => `intent-${intentId}`,
  paymentConfirmed: (intentId: string) => `pay-${intentId}`,
  paymentFailed: (eventId: string) => `payment-failed-${eventId}`,
  submissionRequested: (orderId: string) => `submit-${orderId}`,
  refundSettled: (providerRefundId: string, outcome: "succeeded" | "failed") =>
    `refund-${providerRefundId}-${outcome}`,
  groNotice: (noticeId: string) => `gro-${noticeId}`,
  groAsked: (orderId: string, attempt: number | null, kind: string) =>
    `gro-asked-${orderId}-${attempt ?? "none"}-${kind}`,
} as const;

/**
 * Fingerprint of a command that tells what a provider answered. The answer is looked up anew for each report, so a repeat may
 * read otherwise by then (another decline, edited metadata): the id, made of the provider's own, is all there is to compare.
 */
export const uncompared = (): Promise<null> => Promise.resolve(null);

/** A key that the customer's browser chose, and the place it was sent to: the same key elsewhere is another key. */
export type ClientKey = { readonly scope: string; readonly key: string };

/** The id of a customer's command: the same for the same key, fresh without one. */
export function clientCommandId(deriveId: DeriveId, newId: () => string, key: ClientKey | undefined): string {
  return key === undefined ? newId() : deriveId("command", key.scope, key.key);
}
