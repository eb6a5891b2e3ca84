import type { StaffReason } from "../../../../domain/decider.ts";
import type { Rule } from "../../../../domain/order/rules.ts";
import type { StaffTask } from "../../../../domain/order/staff/work-queues.ts";
import type { Order, Proposal } from "../../../../domain/order/state.ts";
import type {
  CancellationReason,
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
  Revealable,
  RevealReason,
  ServiceLevel,
  SubmissionChannel,
  SubmissionFailureCode,
} from "../../../../domain/order/vocabulary.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import type { OriginalRevealReason } from "../../../../domain/ticket/vocabulary.ts";

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
    notSubmitted: "order never submitted",
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
    unreadable: "the email could not be read on our page",
    doubtfulSender: "to see who sent the email",
    lawRequires: "the law requires it",
  } satisfies Record<RevealReason | OriginalRevealReason, string>,

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
    orderedTwice: "ordered twice",
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
    emailChanged: "previous email address told of the change",
  } satisfies Record<MailTemplate, string>,

  dataClass: {
    application: "application data",
    contact: "contact data",
    question: "the text of the GRO’s question",
  } satisfies Record<Revealable, string>,

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
  refundUnassigned: "A refund is to be assigned: it was made at the provider and names no order",
  overRefunded: "More was refunded than was paid: ask the customer to return it",
  disputeOpen: "A dispute is open: no refunds until it is closed",
  undelivered: "An email did not arrive: correct the email address, or send it again",
  submissionFailed: "Submission failed: submit it manually, or check what the GRO has",
  groQuestion: "The GRO has a question",
  contradiction: "The GRO has accepted or despatched an order that had ended or was never paid",
  refundFailed: "A card refund failed: refund again, or record a bank transfer",
  purgeFailed: "Data could not be destroyed",
  overdue: "Past its promised date",
  longOverdue: "More than 60 days past its promised date",
};

/** A proposal in words: `£90.00 refunded to the card, goodwill`. */
export function wordsOfProposal({ disputes }: Pick<Order, "disputes">, proposal: Proposal): string {
  switch (proposal.kind) {
    case "refund":
      return `${formatPounds(proposal.amountPence)} refunded to the card, ${words.refund[proposal.reason]}`;
    case "bankTransfer":
      return `${formatPounds(proposal.amountPence)} by bank transfer`;
    case "disputeOutcome": {
      const dispute = disputes.find(({ disputeId }) => disputeId === proposal.disputeId);
      const over = dispute ? ` over ${formatPounds(dispute.amountPence)}` : "";
      return `dispute${over} ${words.disputeOutcome[proposal.outcome]}`;
    }
    default:
      return proposal satisfies never;
  }
}

/** Why an action is not possible now, to end a sentence. */
const ruleWords: Readonly<Record<Rule, string>> = {
  "already-exists": "the order already exists",
  "variant-missing": "no certificate has been chosen yet",
  "not-paid": "the order is not paid",
  "already-paid": "the order is paid",
  "not-confirmed": "no confirmation has reached the customer yet",
  "attempt-open": "a submission attempt is open: check its outcome first",
  "no-attempt-open": "no submission attempt is open",
  "not-submitted": "the GRO does not have the application",
  "already-submitted": "the GRO has the application",
  "not-queried": "the GRO has no question",
  "not-dispatched": "the certificate has not been despatched",
  "already-dispatched": "the certificate has been despatched",
  "already-fulfilled": "the order is fulfilled",
  "already-cancelled": "the order is cancelled",
  "already-failed": "the order has failed",
  "application-needed": "the application is still needed",
  "no-question-text": "no text of a question is kept",
  "contact-needed": "the contact data is still needed",
  "terms-not-accepted": "the terms were not accepted",
  "consent-missing": "the customer has not asked us to start",
  "payment-open": "a payment is in progress",
  "wrong-attempt": "another attempt has started since",
  "attempt-under-way": "the attempt may still be on its way: wait until 15 minutes after it started",
  "attempts-exhausted": "no automatic attempts are left",
  "purge-pending": "the old application has not been destroyed yet",
  "already-confirmed": "the confirmation has been delivered",
  "above-captured": "the refund is more than what is left of the payment",
  "refund-open": "a refund is in progress",
  "already-refunded": "money has been refunded",
  "no-failed-refund": "no refund to the card has failed: refund to the card first",
  "reference-missing": "the reference of the transfer is missing",
  "dispute-open": "a dispute is open: the bank decides first",
  "refund-unassigned": "a refund made at the provider waits to be assigned to an order",
  "refund-assigned": "the refund has been assigned",
  "shares-differ": "the amounts do not add up to the refund",
  "no-such-transfer": "no bank transfer has been recorded",
  "no-such-dispute": "no dispute is open",
  "dispute-closed": "the dispute is closed",
  "second-person-needed": "you made this proposal: someone else has to decide",
  "no-such-proposal": "nothing has been proposed",
  "proposal-approved": "the proposal has been approved",
  "proposal-declined": "the proposal has been declined",
  "application-purged": "the application has been destroyed",
  "role-needed": "your role does not allow it",
  "nothing-to-do": "it has already been done",
  "no-erasure-requested": "erasure has not been requested",
  "still-needed": "the data is still needed, or falls under another rule",
  "contact-purged": "the contact data has been destroyed",
  "record-replaced": "the record has been replaced since",
  "too-many-variants": "the certificate has been changed as often as an order allows",
  "too-many-payment-requests": "payment has been requested as often as an order allows",
  "too-many-amendments": "the application has been changed as often as an order allows",
  "too-many-answers": "the GRO’s questions have been answered as often as an order allows",
  "too-many-corrections": "the contact details have been corrected as often as an order allows",
  "too-many-link-requests": "links have been requested as often as an order allows",
  "too-many-attempts": "it has been submitted as often as an order allows",
  "too-many-outcomes": "as many GRO answers have been recorded as an order allows",
  "too-many-refunds": "as many refunds have been requested as an order allows",
  "too-many-proposals": "as many dispute outcomes have been proposed as an order allows",
  "too-many-notes": "the order has as many notes as an order allows",
  "too-many-reveals": "its personal data has been revealed as often as an order allows",
};

const known: Readonly<Record<string, string>> = ruleWords;

/** A rule in words; an unknown rule by its name. */
export const wordsOfRule = (rule: string): string => known[rule] ?? rule;

/** Rules that no time will change, or whose words say themselves that it is too early, too late or too much. */
const saysItAll: ReadonlySet<string> = new Set<Rule>([
  "above-captured",
  "shares-differ",
  "reference-missing",
  "role-needed",
  "nothing-to-do",
  "second-person-needed",
  "no-such-proposal",
  "no-such-transfer",
  "no-such-dispute",
]);

/** Why an action was refused, as a sentence. */
export function refusalSentence(rule: string): string {
  const words = wordsOfRule(rule);
  return saysItAll.has(rule) || rule.startsWith("too-many-")
    ? `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
    : `This is not possible now: ${words}.`;
}
