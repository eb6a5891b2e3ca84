import { describe, expect, it } from "vitest";
import { sample } from "../../testing/domain/command-fixture.ts";
import { given, historyTo, stateAfter, when } from "../../testing/domain/order-fixture.ts";
import { Refused } from "../decider.ts";
import { type OrderCommandType, orderCommandSchemas } from "./commands.ts";
import { decide } from "./decide.ts";
import { cellOf, type Phase, phases } from "./phases.ts";

/** `"3 not-paid"` stands for three cells. */
const row = (...runs: string[]): string[] =>
  runs.flatMap((run) => {
    const [, times, outcome] = /^(?:(\d+) )?(.+)$/.exec(run) ?? [];
    return Array.from({ length: Number(times ?? 1) }, () => outcome ?? "");
  });

/**
 * What each sample command makes happen in each phase: its events, `nothing` when it is true already, or the rule that
 * refuses it. Opened, Priced, AwaitingPayment, Paid, Confirmed, Submitting, Submitted, Dispatched, Fulfilled,
 * Cancelled, Failed.
 */
const outcomes: Readonly<Record<OrderCommandType, string[]>> = {
  CreateOrder: row("11 already-exists"),
  RecordSameCertificate: row("11 SameCertificateFound"),
  RecordSavedDraftsEnded: row("3 not-paid", "8 nothing"),
  AddVariant: row(
    "VariantAdded",
    "2 VariantReplaced",
    "6 already-paid",
    "already-cancelled",
    "already-failed",
  ),
  RequestPayment: row(
    "variant-missing",
    "PaymentRequested",
    "nothing",
    "6 already-paid",
    "already-cancelled",
    "already-failed",
  ),
  ConfirmPayment: row(
    "PaymentReceivedUnexpectedly+RefundRequested",
    "2 PaymentConfirmed",
    "8 PaymentReceivedUnexpectedly+RefundRequested",
  ),
  RecordPaymentFailure: row("11 PaymentFailed"),
  RequestSubmission: row(
    "3 not-paid",
    "SubmissionRequested",
    "5 nothing",
    "already-cancelled",
    "already-failed",
  ),
  RecordMail: row("11 MailSent"),
  RecordBounce: row("11 MailBounced"),
  RequestOrderLinks: row("3 not-paid", "8 OrderLinksRequested"),
  CorrectContact: row("11 ContactCorrected"),
  StartSubmission: row(
    "3 not-paid",
    "not-confirmed",
    "SubmissionStarted",
    "attempt-open",
    "already-submitted",
    "already-dispatched",
    "already-fulfilled",
    "already-cancelled",
    "already-failed",
  ),
  RecordSubmission: row("6 SubmittedToGRO", "3 nothing", "2 SubmittedToGRO"),
  RecordSubmissionFailure: row("11 SubmissionFailed"),
  StartSensitiveDataPurge: row(
    "6 application-needed",
    "SensitiveDataPurgeStarted",
    "2 nothing",
    "2 still-needed",
  ),
  PurgeSensitiveData: row("6 application-needed", "5 nothing"),
  RecordGROOutcome: row("5 GROOutcomeRecorded", "SubmittedToGRO+GROOutcomeRecorded", "5 GROOutcomeRecorded"),
  AmendApplication: row(
    "variant-missing",
    "2 not-paid",
    "2 ApplicationAmended",
    "attempt-open",
    "already-submitted",
    "already-dispatched",
    "already-fulfilled",
    "already-cancelled",
    "already-failed",
  ),
  ReplaceApplication: row(
    "3 not-paid",
    "4 not-queried",
    "already-dispatched",
    "already-fulfilled",
    "already-cancelled",
    "already-failed",
  ),
  RecordDispatch: row(
    "5 CertificateDispatched",
    "SubmittedToGRO+CertificateDispatched",
    "CertificateDispatched",
    "2 nothing",
    "2 CertificateDispatched",
  ),
  FulfilOrder: row("7 not-dispatched", "OrderFulfilled", "nothing", "already-cancelled", "already-failed"),
  ReportArrival: row("7 not-dispatched", "2 CertificateArrived", "already-cancelled", "already-failed"),
  CancelOrder: row(
    "5 OrderCancelled",
    "CancellationRequested",
    "already-submitted",
    "already-dispatched",
    "already-fulfilled",
    "nothing",
    "already-failed",
  ),
  FailOrder: row(
    "3 not-paid",
    "2 OrderFailed",
    "attempt-open",
    "OrderFailed",
    "already-dispatched",
    "already-fulfilled",
    "already-cancelled",
    "nothing",
  ),
  RequestRefund: row("3 above-captured", "8 RefundRequested"),
  RecordBankTransfer: row("3 above-captured", "8 no-failed-refund"),
  RecordBankTransferReturn: row("11 no-such-transfer"),
  ApproveProposal: row("11 no-such-proposal"),
  DeclineProposal: row("11 no-such-proposal"),
  RecordRefund: row("11 RefundIssued"),
  RecordRefundFailure: row("11 RefundFailed"),
  RecordUnassignedRefund: row("11 UnassignedRefundFound"),
  RecordRefundOfOthers: row("11 nothing"),
  RecordDispute: row("11 DisputeOpened"),
  RecordDisputeOutcome: row("11 no-such-dispute"),
  AddNote: row("11 NoteAdded"),
  RevealPersonalData: row("11 PersonalDataRevealed"),
  RequestErasure: row("11 ErasureRequested"),
  StartContactDataPurge: row("8 contact-needed", "ContactDataPurgeStarted", "2 refund-open"),
  PurgeContactData: row("8 contact-needed", "3 nothing"),
  PurgeReplacedRecord: row("11 nothing"),
};

const everyCell = Object.values(sample).flatMap((command) =>
  phases.map(
    (phase, column) => [command.type, phase, outcomes[command.type][column] ?? "", command] as const,
  ),
);

function outcomeIn(phase: Phase, command: (typeof sample)[OrderCommandType]): string {
  try {
    return (
      when(historyTo[phase], command)
        .map(({ type }) => type)
        .join("+") || "nothing"
    );
  } catch (error) {
    if (error instanceof Refused) return error.rule;
    throw error;
  }
}

describe("the phase table", () => {
  it("is tried with every command", () => {
    expect(Object.keys(sample).toSorted()).toEqual(Object.keys(orderCommandSchemas).toSorted());
  });

  it("is tried with a history for every phase", () => {
    for (const phase of phases) expect(stateAfter(historyTo[phase]).phase).toBe(phase);
  });

  it.each(everyCell)("%s in %s: %s", (_, phase, expected, command) => {
    expect(outcomeIn(phase, command)).toBe(expected);
  });

  const refusedCells = everyCell.filter(([type, phase]) => cellOf(type, phase) !== "allowed");

  it.each(refusedCells)("%s in %s is refused in the name of the phase: %s", (type, phase, _, command) => {
    expect(() => when(historyTo[phase], command)).toThrow(
      expect.objectContaining({ code: "forbidden-in-phase", phase, rule: cellOf(type, phase) }),
    );
  });

  it("refuses everything but CreateOrder where there is no order", () => {
    for (const command of Object.values(sample)) {
      const attempt = () => decide({ phase: "Absent" }, command, given());
      if (command.type === "CreateOrder") expect(attempt()).toHaveLength(1);
      else expect(attempt).toThrow(expect.objectContaining({ code: "unknown-order" }));
    }
  });
});
