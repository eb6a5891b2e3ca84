import { type Limit, limitsOf } from "../limits.ts";
import type { OrderEventType } from "./events.ts";

export type OrderLimitRule =
  | "too-many-variants"
  | "too-many-payment-requests"
  | "too-many-amendments"
  | "too-many-answers"
  | "too-many-corrections"
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
  // Each may send mail to an address that nobody has proved to be theirs.
  ContactCorrected: { rule: "too-many-corrections", most: 50, byCustomer: 10 },
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

/** A customer tries one card after the other: so many failures are kept, and further ones change nothing. */
export const mostPaymentFailures = 30;

export const orderLimits = limitsOf<OrderLimitRule>(mostOfOrder, ["PaymentFailed"]);
