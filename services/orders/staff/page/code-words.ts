import type { StaffReason } from "../../../../domain/decider.ts";
import type { StaffTask } from "../../../../domain/order/staff/staff-tasks.ts";
import type {
  CancellationReason,
  DataClass,
  DisputeOutcome,
  DisputeReason,
  FailureCause,
  FailureReason,
  GroOutcome,
  MailTemplate,
  PaymentFailureCode,
  PurgeFailureCode,
  RefundFailureCode,
  RefundReason,
  RevealReason,
  ServiceLevel,
  SubmissionChannel,
  SubmissionFailureCode,
} from "../../../../domain/order/vocabulary.ts";

/** The closed lists of the order's events in words for those who work here. Each reads on after a colon or a comma. */
export const words = {
  serviceLevel: { standard: "Standard", priority: "Priority" } satisfies Record<ServiceLevel, string>,

  paymentFailure: {
    cardDeclined: "the card was declined",
    insufficientFunds: "not enough money on the card",
    expiredCard: "the card has expired",
    incorrectCvc: "wrong security code",
    incorrectNumber: "wrong card number",
    authenticationFailed: "the bank’s check was not passed",
    processingError: "the provider could not process it",
    other: "the provider gave no reason we know",
  } satisfies Record<PaymentFailureCode, string>,

  submissionFailure: {
    timeout: "no answer in time",
    unreachable: "the automation service could not be reached",
    fault: "the automation service had a fault",
    circuitOpen: "the automation service was given a rest after several faults",
    rejected: "the GRO refused it",
    invalid: "the application could not be read",
    unauthorized: "the automation service did not know us",
    unknownToProvider: "asked, and not there",
    staffConfirmed: "a colleague asked the GRO",
  } satisfies Record<SubmissionFailureCode, string>,

  channel: { automation: "automation service", manual: "by hand" } satisfies Record<
    SubmissionChannel,
    string
  >,

  outcome: {
    notFound: "GRO did not find the record",
    queried: "GRO has a question",
  } satisfies Record<GroOutcome, string>,

  cancellation: {
    customerRequest: "the customer asked for it",
    staffRequest: "by a decision of staff",
    expired: "it was not paid in time",
    replaced: "a new order took its place",
    unconfirmed: "no confirmation arrived within 7 days",
  } satisfies Record<CancellationReason, string>,

  failureCause: {
    ours: "our cause",
    customer: "the customer’s cause",
    gro: "the GRO’s cause",
  } satisfies Record<FailureCause, string>,

  failure: {
    submissionFailed: "it could not be submitted",
    recordNotFound: "the GRO did not find the record",
    detailsInsufficient: "the details do not suffice",
    notEligible: "the applicant may not have this certificate",
    serviceError: "an error of our service",
  } satisfies Record<FailureReason, string>,

  refund: {
    cancelled: "order cancelled",
    failedByUs: "failed by our cause",
    recordNotFound: "record not found",
    unexpectedPayment: "paid when nothing was due",
    staffDecision: "decision of staff",
  } satisfies Record<RefundReason, string>,

  refundFailure: {
    declined: "declined by the bank",
    expiredOrCancelledCard: "the card has expired or was cancelled",
    lostOrStolenCard: "the card was lost or stolen",
    insufficientFunds: "our balance did not suffice",
    other: "the provider gave no reason we know",
  } satisfies Record<RefundFailureCode, string>,

  dispute: {
    fraudulent: "the cardholder does not know the payment",
    productNotReceived: "nothing arrived, says the cardholder",
    duplicate: "charged twice, says the cardholder",
    creditNotProcessed: "a refund did not arrive, says the cardholder",
    general: "no particular reason",
    other: "the provider gave no reason we know",
  } satisfies Record<DisputeReason, string>,

  disputeOutcome: {
    won: "decided for us",
    lost: "decided for the cardholder",
    warningClosed: "only an inquiry of the bank; nothing was taken",
  } satisfies Record<DisputeOutcome, string>,

  reveal: {
    ticket: "to answer a ticket",
    customerAsked: "the customer asked",
    manualSubmission: "to submit it by hand",
    groQuery: "to answer a question of the GRO",
    subjectAccess: "for a subject access request",
    erasureRequest: "for an erasure request",
    fraudCheck: "to check for fraud",
    complaint: "to answer a complaint",
    amendment: "to correct or amend it",
  } satisfies Record<RevealReason, string>,

  staffReason: {
    customerAsked: "the customer asked",
    groPhoned: "the GRO phoned",
    groWrote: "the GRO wrote",
    groWebsite: "seen on the GRO’s website",
    automationDown: "the automation service is down",
    detailsWrong: "details were wrong",
    complaint: "a complaint",
    goodwill: "goodwill",
    ourMistake: "our mistake",
    suspectedFraud: "suspected fraud",
    lawRequires: "the law requires it",
    other: "another reason",
  } satisfies Record<StaffReason, string>,

  mail: {
    confirmation: "confirmation of the order",
    submitted: "sent to the GRO",
    dataDeleted: "receipt of deletion",
    paymentFailed: "card refused",
    groQuestion: "question of the GRO",
    dispatched: "despatched",
    cancelled: "cancelled",
    cancellationTooLate: "too late to cancel",
    failed: "could not be completed",
    refunded: "refunded",
  } satisfies Record<MailTemplate, string>,

  dataClass: { application: "application data", contact: "contact data" } satisfies Record<DataClass, string>,

  purgeFailure: {
    stillReadable: "it could still be read",
    keyRingUnavailable: "the key ring was away",
    vaultUnavailable: "the vault was away",
    other: "an unknown fault",
  } satisfies Record<PurgeFailureCode, string>,
} as const;

/** What waits for staff, in words. */
export const taskWords: Readonly<Record<StaffTask, string>> = {
  refundProposed: "A proposal waits for a second person",
  overRefunded: "More money went back than was paid: ask the customer to return it",
  disputeOpen: "A dispute is open: no refund until it is closed",
  confirmationUndeliverable: "The confirmation did not arrive: correct the address",
  submissionFailed: "Submission failed: submit it by hand, or find out what the GRO has",
  groQuestion: "The GRO has a question",
  contradiction: "The GRO has, or sent, something for an order that had ended or was never paid",
  refundFailed: "A refund does not reach the card: refund again, or record a bank transfer",
  purgeFailed: "A deletion failed",
  overdue: "Past its promise",
  longOverdue: "More than 60 days past its promise",
};
