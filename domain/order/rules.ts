import { type CommandMetadata, type Limit, limitsOf, Refused } from "../decider.ts";
import type { OrderCommand, OrderCommandData, OrderCommandType } from "./commands.ts";
import type { OrderEvent, OrderEventType } from "./events.ts";
import type { PhaseRule } from "./phases.ts";
import type { Order } from "./state.ts";

/** The decisions on some types of command, once the phase allows them. An empty list means that nothing changes. */
export type Decisions<Type extends OrderCommandType> = {
  readonly [T in Type]: (order: Order, data: OrderCommandData<T>, metadata: CommandMetadata) => OrderEvent[];
};

/** A command of one of some types, so that its data goes with its type. */
export type CommandOf<Type extends OrderCommandType> = {
  [T in Type]: Extract<OrderCommand, { type: T }> & { readonly type: T; readonly data: OrderCommandData<T> };
}[Type];

/** Rules finer than the phase table: stable codes, shown to clients. */
export type Rule =
  | PhaseRule
  | OrderLimitRule
  | "terms-not-accepted"
  | "consent-missing"
  | "payment-open"
  | "wrong-attempt"
  | "attempt-under-way"
  | "attempts-exhausted"
  | "purge-pending"
  | "already-confirmed"
  | "above-captured"
  | "refund-open"
  | "already-refunded"
  | "no-failed-refund"
  | "reference-missing"
  | "no-such-transfer"
  | "dispute-open"
  | "refund-unassigned"
  | "refund-assigned"
  | "shares-differ"
  | "no-such-dispute"
  | "dispute-closed"
  | "second-person-needed"
  | "no-such-proposal"
  | "proposal-approved"
  | "proposal-declined"
  | "application-purged"
  | "role-needed"
  | "nothing-to-do"
  | "no-erasure-requested"
  | "still-needed"
  | "contact-purged"
  | "no-question-text"
  | "record-replaced";

/** What to throw when a rule forbids a command. */
export const forbidden = (order: Order, rule: Rule, details: Refused["details"] = {}): Refused =>
  new Refused({ code: "forbidden-in-phase", phase: order.phase, rule, details });

/**
 * A replaced record is being purged, so it cannot be used again.
 * @throws Refused when the record is such a one
 */
export function assertFresh(order: Order, ref: string): void {
  if (order.vault.superseded.some((record) => record.ref === ref)) throw forbidden(order, "record-replaced");
}

type OrderLimitRule =
  | "too-many-variants"
  | "too-many-payment-requests"
  | "too-many-amendments"
  | "too-many-answers"
  | "too-many-corrections"
  | "too-many-link-requests"
  | "too-many-attempts"
  | "too-many-outcomes"
  | "too-many-refunds"
  | "too-many-proposals"
  | "too-many-notes"
  | "too-many-reveals";

/** What can be asked of an order again and again, and how often. */
export const mostOfOrder = {
  // With the first that makes 20.
  VariantReplaced: { rule: "too-many-variants", most: 39, byCustomer: 19 },
  PaymentRequested: { rule: "too-many-payment-requests", most: 40, byCustomer: 20 },
  ApplicationAmended: { rule: "too-many-amendments", most: 30, byCustomer: 10 },
  ApplicationReplaced: { rule: "too-many-answers", most: 20, byCustomer: 10 },
  // Each may send mail to an address that is not verified.
  ContactCorrected: { rule: "too-many-corrections", most: 50, byCustomer: 10 },
  // Ten in the first week, then one a week, for the year in which an order is found by its address.
  OrderLinksRequested: { rule: "too-many-link-requests", most: 65 },
  SubmissionStarted: { rule: "too-many-attempts", most: 200 },
  GROOutcomeRecorded: { rule: "too-many-outcomes", most: 50 },
  RefundRequested: { rule: "too-many-refunds", most: 50 },
  RefundProposed: { rule: "too-many-refunds", most: 50 },
  BankTransferRecorded: { rule: "too-many-refunds", most: 50 },
  BankTransferProposed: { rule: "too-many-refunds", most: 50 },
  DisputeOutcomeProposed: { rule: "too-many-proposals", most: 50 },
  NoteAdded: { rule: "too-many-notes", most: 200 },
  PersonalDataRevealed: { rule: "too-many-reveals", most: 500 },
} as const satisfies Partial<Record<OrderEventType, Limit<OrderLimitRule>>>;

/** A customer may try one card after the other: this many failures are kept, and further ones change nothing. */
export const mostPaymentFailures = 30;

export const orderLimits = limitsOf<OrderLimitRule>(mostOfOrder, ["PaymentFailed"]);
