import * as z from "zod/mini";
import { staffReason } from "../../domain/decider.ts";
import * as field from "../../domain/fields.ts";
import { optional, required } from "../../domain/forms/answers.ts";
import { disputeOutcome, failureCause, failureReason, groOutcome } from "../../domain/order/vocabulary.ts";
import { applicationRequest, contactRequest } from "../orders/own-records.ts";
import { answers, post, type Schema, type Sender, type Situation } from "../request.ts";
import { managers, staff } from "../roles.ts";
import { past } from "./past.ts";

/** What an act on an order answers: the revision that it wrote. */
const actedAnswer = z.object({ revision: z.int() }).register(z.globalRegistry, { id: "ActedOnOrder" });

const noteLength = 2000;

/** Why it is done, and what was seen when it was decided. */
const act = {
  reason: z.enum(staffReason.options, "Choose a reason"),
  /** Free text, for the vault; empty when there is none. */
  note: optional(noteLength),
  expectedRevision: z.int("Say which revision you saw").check(z.minimum(0, "Say which revision you saw")),
};

const plain = z.object(act);

const action = <const Path extends string, const From extends Sender, Body extends Schema>(
  path: Path,
  from: From,
  summary: string,
  body: Body | ((situation: Situation) => Body),
) =>
  post(`/api/admin/orders/{orderNumber}/actions/${path}`, {
    summary,
    from,
    limit: "commands",
    body,
    answers: answers(actedAnswer),
    refuses: ["not-found", "forbidden-in-phase", "changed-meanwhile", "idempotency-key-reused"],
  });

export const addNote = action(
  "add-note",
  staff,
  "Note something about an order",
  z.object({ ...act, note: required("Write a note", noteLength) }),
);

export const correctContact = action(
  "correct-contact",
  staff,
  "Correct who is written to",
  z.object({ ...act, contact: contactRequest }),
);

/** The application is read by the schema of the order's own variant, once the order is known. */
export const amendApplication = action(
  "amend-application",
  staff,
  "Amend the application",
  z.object({ ...act, application: applicationRequest }),
);

export const startSubmission = action("start-submission", staff, "Begin a submission by hand", plain);

export const recordSubmission = action("record-submission", staff, "Record a submission by hand", ({ now }) =>
  z.object({
    ...act,
    groOrderReference: optional(100).transform((reference) => reference || null),
    submittedAt: past(now),
  }),
);

export const recordSubmissionFailure = action(
  "record-submission-failure",
  staff,
  "Record that a submission by hand failed",
  plain,
);

export const recordOutcome = action(
  "record-outcome",
  staff,
  "Record the GRO's answer",
  z.object({ ...act, outcome: z.enum(groOutcome.options, "Choose the outcome") }),
);

export const recordDispatch = action("record-dispatch", staff, "Record the despatch", ({ now }) =>
  z.object({ ...act, dispatchedAt: past(now) }),
);

export const cancel = action("cancel", staff, "Cancel an order", plain);

export const fail = action(
  "fail",
  staff,
  "Give an order up",
  z.object({
    ...act,
    cause: z.enum(failureCause.options, "Choose whose cause it is"),
    failure: z.enum(failureReason.options, "Choose why it failed"),
  }),
);

export const requestErasure = action("request-erasure", staff, "Ask for the erasure of contact data", plain);

const money = {
  ...act,
  intentId: field.providerId,
  amountPence: z
    .int("Enter an amount in pounds")
    .check(z.minimum(1, "Enter an amount in pounds"), z.maximum(100_000_00)),
};

export const refund = action(
  "refund",
  staff,
  "Give money back, or propose it to a second person",
  z.object(money),
);

export const recordBankTransfer = action(
  "record-bank-transfer",
  staff,
  "Record a bank transfer in the place of a refund that does not reach the card, or propose it",
  z.object({ ...money, reference: optional(100) }),
);

export const recordBankTransferReturn = action(
  "record-bank-transfer-return",
  staff,
  "Record that the bank sent a transfer back",
  z.object({ ...act, transfer: field.ordinal }),
);

export const recordDisputeOutcome = action(
  "record-dispute-outcome",
  staff,
  "Record how a dispute ended that the provider does not close, or propose it",
  z.object({
    ...act,
    disputeId: field.providerId,
    outcome: z.enum(disputeOutcome.options, "Choose how it ended"),
  }),
);

const decision = z.object({ ...act, proposal: field.ordinal });

export const approveProposal = action(
  "approve-proposal",
  managers,
  "Approve what a colleague proposed",
  decision,
);

export const declineProposal = action("decline-proposal", managers, "Decline what was proposed", decision);
