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

/** Event codes in words for staff. Each follows a colon or a comma. */
export const words = {
  serviceLevel: { standard: "Standard", priority: "Priority" } satisfies Record<ServiceLevel, string>,

  paymentFailure: {
    cardDeclined: "the card was declined",
    insufficientFunds: "insufficient funds",
    expiredCard: "the card has expired",
    incorrectCvc: "incorrect security code",
    incorrectNumber: "incorrect card number",
    authenticationFailed: "the bank’s check failed",
    processingError: "the provider could not process the payment",
    other: "the provider gave no recognised reason",
  } satisfies Record<PaymentFailureCode, string>,

  submissionFailure: {
    timeout: "timed out",
    unreachable: "the automation service could not be reached",
    fault: "the automation service failed",
    circuitOpen: "the automation service was paused after several failures",
    rejected: "the GRO refused it",
    invalid: "the application could not be read",
    unauthorized: "the automation service rejected our credentials",
    unknownToProvider: "checked: the GRO does not have it",
    staffConfirmed: "a colleague checked with the GRO",
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
    customerRequest: "requested by the customer",
    staffRequest: "decided by staff",
    expired: "not paid in time",
    replaced: "replaced by a new order",
    unconfirmed: "no confirmation delivered within 7 days",
  } satisfies Record<CancellationReason, string>,

  failureCause: {
    ours: "caused by us",
    customer: "caused by the customer",
    gro: "caused by the GRO",
  } satisfies Record<FailureCause, string>,

  failure: {
    submissionFailed: "it could not be submitted",
    recordNotFound: "the GRO did not find the record",
    detailsInsufficient: "the details are insufficient",
    notEligible: "the applicant is not entitled to this certificate",
    serviceError: "our error",
  } satisfies Record<FailureReason, string>,

  refund: {
    cancelled: "order cancelled",
    failedByUs: "failed through our error",
    recordNotFound: "record not found",
    unexpectedPayment: "paid when nothing was due",
    staffDecision: "decided by staff",
  } satisfies Record<RefundReason, string>,

  refundFailure: {
    declined: "declined by the bank",
    expiredOrCancelledCard: "the card has expired or was cancelled",
    lostOrStolenCard: "the card was lost or stolen",
    insufficientFunds: "our balance was too low",
    other: "the provider gave no recognised reason",
  } satisfies Record<RefundFailureCode, string>,

  dispute: {
    fraudulent: "the cardholder does not recognise the payment",
    productNotReceived: "the cardholder says nothing arrived",
    duplicate: "the cardholder says they were charged twice",
    creditNotProcessed: "the cardholder says a refund did not arrive",
    general: "no specific reason",
    other: "the provider gave no recognised reason",
  } satisfies Record<DisputeReason, string>,

  disputeOutcome: {
    won: "decided for us",
    lost: "decided for the cardholder",
    warningClosed: "bank inquiry only; no money was taken",
  } satisfies Record<DisputeOutcome, string>,

  reveal: {
    ticket: "to answer a ticket",
    customerAsked: "the customer asked",
    manualSubmission: "to submit it by hand",
    groQuery: "to answer a question from the GRO",
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
    lawRequires: "legal requirement",
    other: "another reason",
  } satisfies Record<StaffReason, string>,

  mail: {
    confirmation: "order confirmation",
    submitted: "sent to the GRO",
    dataDeleted: "deletion receipt",
    paymentFailed: "card refused",
    groQuestion: "question from the GRO",
    dispatched: "despatched",
    cancelled: "cancelled",
    cancellationTooLate: "too late to cancel",
    failed: "could not be completed",
    refunded: "refunded",
    orderLinks: "links to the orders",
  } satisfies Record<MailTemplate, string>,

  dataClass: { application: "application data", contact: "contact data" } satisfies Record<DataClass, string>,

  purgeFailure: {
    stillReadable: "the data could still be read",
    keyRingUnavailable: "the key ring was unavailable",
    vaultUnavailable: "the vault was unavailable",
    other: "unknown error",
  } satisfies Record<PurgeFailureCode, string>,
} as const;

/** Pending staff tasks, in words. */
export const taskWords: Readonly<Record<StaffTask, string>> = {
  refundProposed: "A proposal needs a second person’s approval",
  overRefunded: "More was refunded than was paid: ask the customer to return it",
  disputeOpen: "A dispute is open: no refunds until it is closed",
  confirmationUndeliverable: "The confirmation could not be delivered: correct the email address",
  submissionFailed: "Submission failed: submit it manually, or check what the GRO has",
  groQuestion: "The GRO has a question",
  contradiction: "The GRO has accepted or despatched an order that had ended or was never paid",
  refundFailed: "A card refund failed: refund again, or record a bank transfer",
  purgeFailed: "Data could not be destroyed",
  overdue: "Past its promised date",
  longOverdue: "More than 60 days past its promised date",
};
