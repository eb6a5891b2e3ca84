import type { OrderCommandType } from "./commands.ts";

/** The phases of an order's life, in order. */
export const phases = [
  "Opened",
  "Priced",
  "AwaitingPayment",
  "Paid",
  "Confirmed",
  "Submitting",
  "Submitted",
  "Dispatched",
  "Fulfilled",
  "Cancelled",
  "Failed",
] as const;
export type Phase = (typeof phases)[number];

/** True before any payment was confirmed, in an order that can still be paid. */
export const isUnpaid = (phase: Phase): boolean => upTo("AwaitingPayment").includes(phase);

/** The phases in which a paid order waits to be submitted to the GRO. */
export const phasesBeforeSubmission = from("Paid", "Submitting");

/** True while a paid order is yet to be dispatched. */
export const awaitsDispatch = (phase: Phase): boolean => from("Paid", "Submitted").includes(phase);

/** True once nothing more will happen to the order but refunds, purges and the report that its certificate arrived. */
export const hasEnded = (phase: Phase): boolean => from("Fulfilled").includes(phase);

/** Why a phase refuses a command: stable codes, shown to clients. */
export type PhaseRule =
  | "already-exists"
  | "variant-missing"
  | "not-paid"
  | "already-paid"
  | "not-confirmed"
  | "attempt-open"
  | "no-attempt-open"
  | "not-submitted"
  | "already-submitted"
  | "not-queried"
  | "not-dispatched"
  | "already-dispatched"
  | "already-fulfilled"
  | "already-cancelled"
  | "already-failed"
  | "application-needed"
  | "contact-needed";

type Cell = "allowed" | PhaseRule;
type Row = Readonly<Record<Phase, Cell>>;

/** Why a phase refuses a command, unless the command's row gives a better reason. */
const reasonOf: Readonly<Record<Phase, PhaseRule>> = {
  Opened: "not-paid",
  Priced: "not-paid",
  AwaitingPayment: "not-paid",
  Paid: "not-confirmed",
  Confirmed: "no-attempt-open",
  Submitting: "attempt-open",
  Submitted: "already-submitted",
  Dispatched: "already-dispatched",
  Fulfilled: "already-fulfilled",
  Cancelled: "already-cancelled",
  Failed: "already-failed",
};

/** The phases from the first to the last, inclusive; without a last, to the end. */
function from(first: Phase, last: Phase = "Failed"): readonly Phase[] {
  return phases.slice(phases.indexOf(first), phases.indexOf(last) + 1);
}

/** The phases from the beginning to the last, inclusive. */
function upTo(last: Phase): readonly Phase[] {
  return from("Opened", last);
}

interface Refusal {
  readonly rule: PhaseRule;
  readonly phases: readonly Phase[];
}
const because = (rule: PhaseRule, refused: readonly Phase[]): Refusal => ({ rule, phases: refused });

/** Allowed in these phases, and refused in all others: by the reason given for them, else by the phase's own. */
function allowed(allowedPhases: readonly Phase[], ...refusals: readonly Refusal[]): Row {
  const row: Record<Phase, Cell> = { ...reasonOf };
  for (const refusal of refusals) for (const phase of refusal.phases) row[phase] = refusal.rule;
  for (const phase of allowedPhases) row[phase] = "allowed";
  return row;
}

/** A fact from outside: never refused, whatever the phase. */
const fact = allowed(phases);
/** A request that does not depend on the phase; a finer rule may refuse it. */
const always = fact;

const oncePaid = because("already-paid", from("Paid", "Fulfilled"));

/**
 * Which command is allowed in which phase. Allowed may still mean that nothing is left to do, or that a finer rule
 * refuses.
 */
const phaseTable: Readonly<Record<OrderCommandType, Row>> = {
  CreateOrder: allowed([], because("already-exists", phases)),
  RecordSameCertificate: fact,
  RecordSavedDraftsEnded: allowed(from("Paid"), because("not-paid", upTo("AwaitingPayment"))),
  AddVariant: allowed(upTo("AwaitingPayment"), oncePaid),
  RequestPayment: allowed(
    from("Priced", "AwaitingPayment"),
    because("variant-missing", ["Opened"]),
    oncePaid,
  ),
  ConfirmPayment: fact,
  RecordPaymentFailure: fact,
  // Asked again later it finds that the submission was requested, and changes nothing.
  RequestSubmission: allowed(from("Paid", "Fulfilled")),
  RecordMail: fact,
  RecordBounce: fact,
  // Orders are found by their address once they are paid for.
  RequestOrderLinks: allowed(from("Paid")),
  CorrectContact: always,
  StartSubmission: allowed(["Confirmed"]),
  RecordSubmission: fact,
  RecordSubmissionFailure: fact,
  // Needed until the GRO has the application or the order has ended otherwise.
  StartSensitiveDataPurge: allowed(from("Submitted"), because("application-needed", upTo("Submitting"))),
  PurgeSensitiveData: allowed(from("Submitted"), because("application-needed", upTo("Submitting"))),
  RecordGROOutcome: fact,
  AmendApplication: allowed(["Paid", "Confirmed"], because("variant-missing", ["Opened"])),
  // The answer to a question of the GRO, which comes while the order is with the GRO.
  ReplaceApplication: allowed(["Submitted"], because("not-queried", from("Paid", "Submitting"))),
  RecordDispatch: fact,
  FulfilOrder: allowed(["Dispatched", "Fulfilled"], because("not-dispatched", upTo("Submitted"))),
  // Once the certificate is in the post. A second report changes nothing; after a refund decide.ts refuses it.
  ReportArrival: allowed(["Dispatched", "Fulfilled"], because("not-dispatched", upTo("Submitted"))),
  // Until the GRO has the application; while it is being submitted, the cancellation waits for the outcome.
  // A second cancellation changes nothing. `assertCancellable` in decide.ts has the finer rules: not once the GRO has
  // had the application, and not while a payment is open.
  CancelOrder: allowed([...upTo("Submitting"), "Cancelled"]),
  // Not while an attempt is open, which may yet succeed. A second failure changes nothing.
  FailOrder: allowed(["Paid", "Confirmed", "Submitted", "Failed"]),
  RequestRefund: always,
  RecordBankTransfer: always,
  RecordBankTransferReturn: always,
  ApproveProposal: always,
  DeclineProposal: always,
  RecordRefund: fact,
  RecordRefundFailure: fact,
  RecordUnassignedRefund: fact,
  RecordRefundOfOthers: fact,
  RecordDispute: fact,
  RecordDisputeOutcome: always,
  AddNote: always,
  RevealPersonalData: always,
  RequestErasure: always,
  StartContactDataPurge: allowed(from("Fulfilled"), because("contact-needed", upTo("Dispatched"))),
  PurgeContactData: allowed(from("Fulfilled"), because("contact-needed", upTo("Dispatched"))),
  PurgeReplacedRecord: fact,
};

/** Whether a phase allows a command, or else the rule that refuses it. */
export const cellOf = (command: OrderCommandType, phase: Phase): Cell => phaseTable[command][phase];

/**
 * What staff may report as well as a provider. A provider's report is never refused, but a mistake by staff would be
 * taken for a fact.
 */
export type StaffFact =
  | "RecordSubmission"
  | "RecordSubmissionFailure"
  | "RecordGROOutcome"
  | "RecordDispatch";

const notSubmitted = because("not-submitted", ["Paid", "Confirmed"]);

/** In which phase staff may report which fact. */
const staffFactTable: Readonly<Record<StaffFact, Row>> = {
  // Also a submission that no attempt of ours began.
  RecordSubmission: allowed(["Confirmed", "Submitting"]),
  RecordSubmissionFailure: allowed(["Submitting"]),
  // An answer proves that an attempt whose end we do not know has reached the GRO.
  RecordGROOutcome: allowed(["Submitting", "Submitted"], notSubmitted),
  RecordDispatch: allowed(["Submitting", "Submitted"], notSubmitted),
};

/** Whether staff may report a fact in a phase, or else the rule that refuses it. */
export const staffCellOf = (fact: StaffFact, phase: Phase): Cell => staffFactTable[fact][phase];
