import type { DeriveId } from "../vault/vault.ts";

/**
 * Ids of commands that record an outside fact. Every reporter (webhook, browser, policy, sweep) derives the same id, so
 * the fact is recorded once.
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
 * Fingerprint of a command that records a provider's answer. Each report fetches the answer again, so a repeat may
 * differ (another decline, edited metadata); only the id, derived from the provider's own, is compared.
 */
export const uncompared = (): Promise<null> => Promise.resolve(null);

/** The browser's idempotency key, scoped to where it was sent. */
export type ClientKey = { readonly scope: string; readonly key: string };

/** The id of a customer's command: derived from the key, random without one. */
export function clientCommandId(deriveId: DeriveId, newId: () => string, key: ClientKey | undefined): string {
  return key === undefined ? newId() : deriveId("command", key.scope, key.key);
}
