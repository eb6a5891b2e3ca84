import * as z from "zod/mini";
import { mostOrders } from "../../domain/checkout/shares.ts";
import { staffReason } from "../../domain/decider.ts";
import * as field from "../../domain/fields.ts";
import { optional, required } from "../../domain/forms/answers.ts";
import { mostQuestionCharacters } from "../../domain/forms/sealed-records.ts";
import { disputeOutcome, failureCause, failureReason, groOutcome } from "../../domain/order/vocabulary.ts";
import { applicationRequest, contactRequest } from "../orders/own-records.ts";
import { answers, managers, post, type Schema, type Sender, type Situation, staff } from "../request.ts";
import { past } from "../shapes.ts";

/** Answers every action on an order, with the revision it wrote. */
const actedAnswer = z.object({ revision: z.int() }).register(z.globalRegistry, { id: "ActedOnOrder" });

const noteLength = 2000;

const act = {
  reason: z.enum(staffReason.options, "Choose a reason"),
  /** Free text, sealed in the vault; may be empty. */
  note: optional(noteLength),
  expectedRevision: z.int("State the revision you saw").check(z.minimum(0, "State the revision you saw")),
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
  "Add a note to an order",
  z.object({ ...act, note: required("Write a note", noteLength) }),
);

export const correctContact = action(
  "correct-contact",
  staff,
  "Correct the contact details",
  z.object({
    ...act,
    contact: contactRequest.check(
      z.refine((change) => Object.keys(change).length > 0, {
        path: ["email"],
        error: "Please enter a valid email address",
      }),
    ),
  }),
);

export const sendAgain = action("send-again", staff, "Send undelivered emails again", plain);

/** The application is parsed later, by the schema of the order's variant. */
export const amendApplication = action(
  "amend-application",
  staff,
  "Amend the application",
  z.object({ ...act, application: applicationRequest }),
);

export const startSubmission = action("start-submission", staff, "Start a manual submission", plain);

export const recordSubmission = action("record-submission", staff, "Record a manual submission", ({ now }) =>
  z.object({
    ...act,
    groOrderReference: optional(100).transform((reference) => reference || null),
    submittedAt: past(now),
  }),
);

export const recordSubmissionFailure = action(
  "record-submission-failure",
  staff,
  "Record that a manual submission failed",
  plain,
);

export const recordOutcome = action(
  "record-outcome",
  staff,
  "Record the GRO's answer",
  z
    .object({
      ...act,
      outcome: z.enum(groOutcome.options, "Choose the outcome"),
      /** The customer reads it as it is written. */
      question: optional(mostQuestionCharacters),
    })
    .check(
      z.refine(({ outcome, question }) => outcome !== "queried" || question !== "", {
        path: ["question"],
        error: "Write what the GRO asks",
      }),
    ),
);

export const recordDispatch = action("record-dispatch", staff, "Record the despatch", ({ now }) =>
  z.object({ ...act, dispatchedAt: past(now) }),
);

export const cancel = action("cancel", staff, "Cancel an order", plain);

export const fail = action(
  "fail",
  staff,
  "Fail an order",
  z.object({
    ...act,
    cause: z.enum(failureCause.options, "Choose who caused it"),
    failure: z.enum(failureReason.options, "Choose why it failed"),
  }),
);

export const requestErasure = action("request-erasure", staff, "Request erasure of the contact data", plain);

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
  "Make a refund, or propose one to a second person",
  z.object(money),
);

const shares = z
  .array(
    z.object({
      orderId: field.id,
      amountPence: z.int("Enter an amount in pounds").check(z.minimum(1, "Enter an amount in pounds")),
    }),
  )
  .check(
    z.minLength(1, "Enter an amount for at least one order"),
    z.maxLength(mostOrders),
    z.refine(
      (given) => new Set(given.map(({ orderId }) => orderId)).size === given.length,
      "Name each order once",
    ),
  );

export const assignRefund = action(
  "assign-refund",
  staff,
  "Assign a refund that was made at the provider to orders of its payment",
  z.object({ ...act, providerRefundId: field.providerId, shares }),
);

export const recordBankTransfer = action(
  "record-bank-transfer",
  staff,
  "Record a bank transfer in place of a failed card refund, or propose it",
  z.object({ ...money, reference: optional(100) }),
);

export const recordBankTransferReturn = action(
  "record-bank-transfer-return",
  staff,
  "Record that a bank transfer was returned",
  z.object({ ...act, transfer: field.ordinal }),
);

export const recordDisputeOutcome = action(
  "record-dispute-outcome",
  staff,
  "Record the outcome of a dispute that the provider leaves open, or propose it",
  z.object({
    ...act,
    disputeId: field.providerId,
    outcome: z.enum(disputeOutcome.options, "Choose the outcome"),
  }),
);

const decision = z.object({ ...act, proposal: field.ordinal });

export const approveProposal = action(
  "approve-proposal",
  managers,
  "Approve a colleague's proposal",
  decision,
);

export const declineProposal = action("decline-proposal", managers, "Decline a proposal", decision);
