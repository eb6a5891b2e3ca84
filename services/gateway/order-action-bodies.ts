import { z } from "zod";
import { staffReason } from "../../domain/decider.ts";
import * as field from "../../domain/fields.ts";
import { optional, required } from "../../domain/forms/answers.ts";
import {
  disputeOutcome,
  failureCause,
  failureReason,
  groOutcome,
  revealReason,
} from "../../domain/order/vocabulary.ts";
import { applicationRequest, contactRequest } from "./order-bodies.ts";

/** What staff send about one order. Every act says why it is done and what was seen when it was decided. */

const chooseReason = "Choose a reason";
const noteLength = 2000;

const act = {
  reason: z.enum(staffReason.options, chooseReason),
  /** Free text, for the vault; empty when there is none. */
  note: optional(noteLength),
  /** The revision that was before the eyes of whoever decided. */
  expectedRevision: z.int("Say which revision you saw").min(0, "Say which revision you saw"),
};

/** An act with nothing to it but its reason. */
export const actRequest = z.object(act);
export type ActRequest = z.output<typeof actRequest>;

/** POST …/reveal */
export const revealRequest = z.object({
  dataClass: z.enum(["application", "contact"], "Choose what to look at"),
  reason: z.enum(revealReason.options, chooseReason),
});
export type RevealRequest = z.output<typeof revealRequest>;

/** POST …/application.pdf: the form for the GRO, which reveals both classes. */
export const formRequest = z.object({ reason: z.enum(revealReason.options, chooseReason) });
export type FormRequest = z.output<typeof formRequest>;

/** POST …/actions/add-note */
export const noteRequest = z.object({ ...act, note: required("Write a note", noteLength) });
export type NoteRequest = z.output<typeof noteRequest>;

const yearMs = 366 * 86_400_000;

/** A moment of the last year: when something happened outside. Promises, deadlines and purges are counted from it. */
export const past = (now: () => Date) =>
  field.instant
    .refine((at) => Date.parse(at) <= now().getTime() + 60_000, "This is still to come")
    .refine((at) => Date.parse(at) >= now().getTime() - yearMs, "This is more than a year ago");

/** POST …/actions/record-submission */
export const submissionRequest = (now: () => Date) =>
  z.object({
    ...act,
    groOrderReference: optional(100).transform((reference) => reference || null),
    submittedAt: past(now),
  });
export type SubmissionRequest = z.output<ReturnType<typeof submissionRequest>>;

/** POST …/actions/record-outcome */
export const outcomeRequest = z.object({ ...act, outcome: z.enum(groOutcome.options, "Choose the outcome") });
export type OutcomeRequest = z.output<typeof outcomeRequest>;

/** POST …/actions/record-dispatch */
export const dispatchRequest = (now: () => Date) => z.object({ ...act, dispatchedAt: past(now) });
export type DispatchRequest = z.output<ReturnType<typeof dispatchRequest>>;

/** POST …/actions/fail */
export const failRequest = z.object({
  ...act,
  cause: z.enum(failureCause.options, "Choose whose cause it is"),
  failure: z.enum(failureReason.options, "Choose why it failed"),
});
export type FailRequest = z.output<typeof failRequest>;

/** POST …/actions/refund */
export const refundRequest = z.object({
  ...act,
  intentId: field.providerId,
  amountPence: z.int("Enter an amount in pounds").min(1, "Enter an amount in pounds").max(100_000_00),
});
export type RefundRequest = z.output<typeof refundRequest>;

/** POST …/actions/record-bank-transfer */
export const bankTransferRequest = refundRequest.extend({ reference: optional(100) });
export type BankTransferRequest = z.output<typeof bankTransferRequest>;

/** POST …/actions/record-bank-transfer-return */
export const transferReturnRequest = z.object({ ...act, transfer: field.ordinal });
export type TransferReturnRequest = z.output<typeof transferReturnRequest>;

/** POST …/actions/record-dispute-outcome */
export const disputeOutcomeRequest = z.object({
  ...act,
  disputeId: field.providerId,
  outcome: z.enum(disputeOutcome.options, "Choose how it ended"),
});
export type DisputeOutcomeRequest = z.output<typeof disputeOutcomeRequest>;

/** POST …/actions/approve-proposal, …/actions/decline-proposal */
export const proposalRequest = z.object({ ...act, proposal: field.ordinal });
export type ProposalRequest = z.output<typeof proposalRequest>;

/** POST …/actions/correct-contact */
export const correctionRequest = z.object({ ...act, contact: contactRequest });
export type CorrectionRequest = z.output<typeof correctionRequest>;

/** POST …/actions/amend-application: read by the schema of the order's own variant, once the order is known. */
export const amendmentRequest = z.object({ ...act, application: applicationRequest });
export type AmendmentRequest = z.output<typeof amendmentRequest>;
