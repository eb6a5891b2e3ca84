import type { StaffReason } from "../../domain/decider.ts";
import type { DeriveId } from "../vault/vault.ts";
import type { OrderDependencies } from "./dependencies.ts";
import type { OnBehalf } from "./orders.ts";

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
 * Fingerprint of a command that records what its sender read elsewhere: at a provider, or in other streams. Each sender
 * reads it again, so a repeat may differ (another decline, edited metadata); only the id is compared.
 */
export const uncompared = (): Promise<null> => Promise.resolve(null);

/** The browser's idempotency key, scoped to where it was sent. */
export type ClientKey = { readonly scope: string; readonly key: string };

/** The id of a command on an order, and whether its sender may repeat it under that id. */
export type NamedCommand = {
  readonly orderId: string;
  readonly commandId: string;
  readonly repeatable: boolean;
};

/** The id of a customer's command: derived from the key, random without one. */
export function clientCommandId(deriveId: DeriveId, newId: () => string, key: ClientKey | undefined): string {
  return key === undefined ? newId() : deriveId("command", key.scope, key.key);
}

/** An action by staff, with its reason and the revision they saw. */
export type StaffAct = {
  /** Recorded in the log; opaque. */
  readonly by: { readonly userId: string };
  readonly reason: StaffReason;
  /** The order's revision they saw; refused if it has changed since. */
  readonly expectedRevision?: number | undefined;
  /** The browser's idempotency key: a repeat gets the first result. */
  readonly idempotencyKey?: string | undefined;
  readonly correlationId: string;
};

export const behalfOfStaff = ({ by, reason, expectedRevision, correlationId }: StaffAct): OnBehalf => ({
  actor: { kind: "staff", id: by.userId },
  correlationId,
  reason,
  ...(expectedRevision !== undefined && { expectedRevision }),
});

/** For the next command of an action with several: the action itself has changed the revision, or it is another order. */
export const goingOn = ({ expectedRevision: _, ...by }: OnBehalf): OnBehalf => by;

/** The id of an action's command: the same when one person repeats an action on an order. */
export function staffCommandId(
  deps: Pick<OrderDependencies, "deriveId" | "newId">,
  orderId: string,
  action: string,
  { by, idempotencyKey }: StaffAct,
): string {
  const key = staffKey(orderId, action, by.userId, idempotencyKey);
  return clientCommandId(deps.deriveId, deps.newId, key);
}

/** An action's key, for use cases shared with customers. */
export const staffKey = (orderId: string, action: string, userId: string, key: string | undefined) =>
  key === undefined ? undefined : { scope: `staff-${action}-${orderId}-${userId}`, key };
