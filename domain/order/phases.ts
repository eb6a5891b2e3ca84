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

export type Cell = "allowed" | PhaseRule;
type Row = readonly [Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell];

const ok = "allowed";
const dupe = "already-exists";
const bare = "variant-missing";
const free = "not-paid";
const paid = "already-paid";
const mute = "not-confirmed";
const open = "attempt-open";
const idle = "no-attempt-open";
const ours = "not-submitted";
const sent = "already-submitted";
const calm = "not-queried";
const home = "not-dispatched";
const post = "already-dispatched";
const done = "already-fulfilled";
const gone = "already-cancelled";
const lost = "already-failed";
const need = "application-needed";
const mail = "contact-needed";

/** A fact from outside: never refused, whatever the phase. */
const fact: Row = [ok, ok, ok, ok, ok, ok, ok, ok, ok, ok, ok];
/** A request that does not depend on the phase; a finer rule may refuse it. */
const always: Row = fact;

/**
 * Which command is allowed in which phase. A column per phase, in their order. Allowed may still mean that nothing is left
 * to do, or that a finer rule beside the phase refuses.
 */
// Opened, Priced, AwaitingPayment | Paid, Confirmed, Submitting, Submitted | Dispatched, Fulfilled | Cancelled, Failed
export const phaseTable: Readonly<Record<OrderCommandType, Row>> = {
  CreateOrder: [dupe, dupe, dupe, dupe, dupe, dupe, dupe, dupe, dupe, dupe, dupe],
  AddVariant: [ok, ok, ok, paid, paid, paid, paid, paid, paid, gone, lost],
  RequestPayment: [bare, ok, ok, paid, paid, paid, paid, paid, paid, gone, lost],
  ConfirmPayment: fact,
  RecordPaymentFailure: fact,
  RequestSubmission: [free, free, free, ok, ok, ok, ok, ok, ok, gone, lost],
  RecordMail: fact,
  CorrectContact: always,
  StartSubmission: [free, free, free, mute, ok, open, sent, post, done, gone, lost],
  RecordSubmission: fact,
  RecordSubmissionFailure: fact,
  StartSensitiveDataPurge: [need, need, need, need, need, need, ok, ok, ok, ok, ok],
  PurgeSensitiveData: [need, need, need, need, need, need, ok, ok, ok, ok, ok],
  RecordGROOutcome: fact,
  AmendApplication: [bare, free, free, ok, ok, open, sent, post, done, gone, lost],
  ReplaceApplication: [free, free, free, calm, calm, calm, ok, post, done, gone, lost],
  RecordDispatch: fact,
  FulfilOrder: [home, home, home, home, home, home, home, ok, ok, gone, lost],
  CancelOrder: [ok, ok, ok, ok, ok, ok, sent, post, done, ok, lost],
  FailOrder: [free, free, free, ok, ok, open, ok, post, done, gone, ok],
  RequestRefund: always,
  RecordBankTransfer: always,
  RecordBankTransferReturn: always,
  ApproveProposal: always,
  DeclineProposal: always,
  RecordRefund: fact,
  RecordRefundFailure: fact,
  RecordDispute: fact,
  RecordDisputeOutcome: always,
  AddNote: always,
  RevealPersonalData: always,
  RequestErasure: always,
  StartContactDataPurge: [mail, mail, mail, mail, mail, mail, mail, mail, ok, ok, ok],
  PurgeContactData: [mail, mail, mail, mail, mail, mail, mail, mail, ok, ok, ok],
  PurgeReplacedRecord: fact,
};

/** What staff may report as well as a provider: a provider's word is never refused, but a slip of ours would be believed. */
export type StaffFact =
  | "RecordSubmission"
  | "RecordSubmissionFailure"
  | "RecordGROOutcome"
  | "RecordDispatch";

/** In which phase staff may report which fact. A column per phase, as above. */
export const staffFactTable: Readonly<Record<StaffFact, Row>> = {
  RecordSubmission: [free, free, free, mute, ok, ok, sent, post, done, gone, lost],
  RecordSubmissionFailure: [free, free, free, mute, idle, ok, sent, post, done, gone, lost],
  RecordGROOutcome: [free, free, free, ours, ours, ok, ok, post, done, gone, lost],
  RecordDispatch: [free, free, free, ours, ours, ok, ok, post, done, gone, lost],
};

/** What the table says of a fact that staff report in a phase. */
export const staffCellOf = (fact: StaffFact, phase: Phase): Cell =>
  staffFactTable[fact][phases.indexOf(phase)] ?? "already-failed";

/** What the table says of a command in a phase. */
export const cellOf = (command: OrderCommandType, phase: Phase): Cell =>
  phaseTable[command][phases.indexOf(phase)] ?? "already-failed";

/** True before any payment was confirmed, in an order that can still be paid. */
export const isUnpaid = (phase: Phase): boolean =>
  phase === "Opened" || phase === "Priced" || phase === "AwaitingPayment";

/** True once nothing more will happen to the order but refunds and purges. */
export const hasEnded = (phase: Phase): boolean =>
  phase === "Fulfilled" || phase === "Cancelled" || phase === "Failed";
