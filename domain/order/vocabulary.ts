import { z } from "zod";

/**
 * The closed lists that events and commands speak in. A provider's own words are mapped onto these; its text is
 * dropped.
 */

/** The most ids of a certificate that an order has. */
export const mostCertificateIds = 20;

export const certificateType = z.enum(["Birth", "Death", "Marriage", "Adoption"]);
export const serviceLevel = z.enum(["standard", "priority"]);
export const deliveryMethod = z.enum(["Post"]);

/** Why a card was not charged; whatever the provider says beyond these is `other`. */
export const paymentFailureCode = z.enum([
  "cardDeclined",
  "insufficientFunds",
  "expiredCard",
  "incorrectCvc",
  "incorrectNumber",
  "authenticationFailed",
  "processingError",
  "other",
]);

const paymentFailureCodes = new Map<string | undefined, PaymentFailureCode>(
  Object.entries({
    card_declined: "cardDeclined",
    generic_decline: "cardDeclined",
    insufficient_funds: "insufficientFunds",
    expired_card: "expiredCard",
    incorrect_cvc: "incorrectCvc",
    incorrect_number: "incorrectNumber",
    authentication_required: "authenticationFailed",
    payment_intent_authentication_failure: "authenticationFailed",
    processing_error: "processingError",
  } as const),
);

/** Stripe's code of a failed charge in our words. */
export const paymentFailureCodeOf = (stripeCode: string | undefined): PaymentFailureCode =>
  paymentFailureCodes.get(stripeCode) ?? "other";

/** The first four leave it open whether the GRO has the application; the others say that it certainly has not. */
export const submissionFailureCode = z.enum([
  "timeout",
  "unreachable",
  "fault",
  "circuitOpen",
  "rejected",
  "invalid",
  "unauthorized",
  "unknownToProvider",
  "staffConfirmed",
]);
export const submissionChannel = z.enum(["automation", "manual"]);
export const groOutcome = z.enum(["notFound", "queried"]);

export const cancellationReason = z.enum([
  "customerRequest",
  "staffRequest",
  /** Never paid within the time that unpaid orders are kept. */
  "expired",
  /** The draft changed, and a new order took this one's place. */
  "replaced",
  /** Paid for seven days without a confirmation that arrived. */
  "unconfirmed",
]);
export const failureCause = z.enum(["ours", "customer", "gro"]);
export const failureReason = z.enum([
  "submissionFailed",
  "recordNotFound",
  "detailsInsufficient",
  "notEligible",
  "serviceError",
]);

export const refundReason = z.enum([
  "cancelled",
  "failedByUs",
  "notSubmitted",
  "recordNotFound",
  "unexpectedPayment",
  "staffDecision",
]);
export const refundFailureCode = z.enum([
  "declined",
  "expiredOrCancelledCard",
  "lostOrStolenCard",
  "insufficientFunds",
  "other",
]);

const refundFailureCodes = new Map<string | undefined, RefundFailureCode>(
  Object.entries({
    declined: "declined",
    expired_or_canceled_card: "expiredOrCancelledCard",
    lost_or_stolen_card: "lostOrStolenCard",
    insufficient_funds: "insufficientFunds",
  } as const),
);

/** Stripe's reason of a failed refund in our words. */
export const refundFailureCodeOf = (stripeReason: string | undefined): RefundFailureCode =>
  refundFailureCodes.get(stripeReason) ?? "other";

/** Why a cardholder asks the bank for the money back. */
export const disputeReason = z.enum([
  "fraudulent",
  "productNotReceived",
  "duplicate",
  "creditNotProcessed",
  "general",
  "other",
]);

const disputeReasons = new Map<string | undefined, DisputeReason>(
  Object.entries({
    fraudulent: "fraudulent",
    product_not_received: "productNotReceived",
    duplicate: "duplicate",
    credit_not_processed: "creditNotProcessed",
    general: "general",
  } as const),
);

/** Stripe's reason of a dispute in our words. */
export const disputeReasonOf = (stripeReason: string | undefined): DisputeReason =>
  disputeReasons.get(stripeReason) ?? "other";

/** Who reported how a dispute ended. The provider's word is final. */
export const outcomeSource = z.enum(["provider", "staff"]);
export type OutcomeSource = z.infer<typeof outcomeSource>;

/** `lost`: the bank gave the money back to the cardholder. `warningClosed`: the bank only asked, and took nothing. */
export const disputeOutcome = z.enum(["won", "lost", "warningClosed"]);

/** Why a member of staff revealed personal data. */
export const revealReason = z.enum([
  "ticket",
  "customerAsked",
  "manualSubmission",
  "groQuery",
  "subjectAccess",
  "erasureRequest",
  "fraudCheck",
  "complaint",
  "amendment",
]);

export const mailTemplate = z.enum([
  /** The confirmation on a durable medium, before the GRO is sent anything. */
  "confirmation",
  "submitted",
  /** The receipt: what was purged, when, and how it was checked. */
  "dataDeleted",
  /** A card was refused, and the order is still not paid. */
  "paymentFailed",
  "groQuestion",
  "dispatched",
  "cancelled",
  /** A cancellation was asked for while the application was under way, and the GRO has it. */
  "cancellationTooLate",
  "failed",
  "refunded",
  /** Links to the orders of an address, on request. */
  "orderLinks",
  /** To the address that an order had before: if its owner did not ask for this, someone else has the order. */
  "emailChanged",
]);
/**
 * Mails that one order of a checkout sends for all to which the same happens within a minute. Others are about one order
 * alone, such as the GRO's question, or on request.
 */
export const gatheredTemplate = mailTemplate.extract([
  "submitted",
  "dataDeleted",
  "dispatched",
  "cancelled",
  "refunded",
]);

export const dataClass = z.enum(["application", "contact"]);
/** What is revealed at once: a class, or the text of the GRO's question, which is kept apart from both. */
export const revealable = z.enum([...dataClass.options, "question"]);
/** What a purge covers: the kinds of record that the vault keeps. */
export const purgedKind = z.enum([
  "application",
  "signature",
  "contact",
  "groOrderReference",
  "orderNote",
  "bankTransfer",
  "fingerprintKey",
]);
/** Why a class of data fell due. */
export const purgeRule = z.enum(["submitted", "cancelled", "failed", "neverPaid", "retention", "erasure"]);
/** What the receipt of a question's text names, and why it fell due: it was answered, or closed without an answer. */
export const questionPurged = "groQuestion";
export const questionClosed = "questionClosed";
/** The result of trying to read the data back. A record that could be read is a PurgeFailed instead. */
export const probeResult = z.enum(["unreadable"]);
export const purgeFailureCode = z.enum(["stillReadable", "keyRingUnavailable", "vaultUnavailable", "other"]);

export type CertificateType = z.infer<typeof certificateType>;
export type ServiceLevel = z.infer<typeof serviceLevel>;
export type PaymentFailureCode = z.infer<typeof paymentFailureCode>;
export type SubmissionFailureCode = z.infer<typeof submissionFailureCode>;
export type SubmissionChannel = z.infer<typeof submissionChannel>;
export type GroOutcome = z.infer<typeof groOutcome>;
export type CancellationReason = z.infer<typeof cancellationReason>;
export type FailureCause = z.infer<typeof failureCause>;
export type FailureReason = z.infer<typeof failureReason>;
export type RefundReason = z.infer<typeof refundReason>;
export type RefundFailureCode = z.infer<typeof refundFailureCode>;
export type DisputeReason = z.infer<typeof disputeReason>;
export type DisputeOutcome = z.infer<typeof disputeOutcome>;
export type RevealReason = z.infer<typeof revealReason>;
export type MailTemplate = z.infer<typeof mailTemplate>;
export type GatheredTemplate = z.infer<typeof gatheredTemplate>;
export type Revealable = z.infer<typeof revealable>;
export type DataClass = z.infer<typeof dataClass>;
export type PurgedKind = z.infer<typeof purgedKind>;
export type PurgeFailureCode = z.infer<typeof purgeFailureCode>;
export type PurgeRule = z.infer<typeof purgeRule>;
