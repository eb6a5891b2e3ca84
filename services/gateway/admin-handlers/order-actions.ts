import type { z } from "zod";
import type { VariantRequest } from "../../../domain/forms/variant-request.ts";
import { forbidden } from "../../../domain/order/rules.ts";
import { allowedActions, type StaffAction } from "../../../domain/order/staff/staff-actions.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { Told } from "../../orders/orders.ts";
import { addNote } from "../../orders/staff/add-note.ts";
import { approveProposal, declineProposal } from "../../orders/staff/approve-proposal.ts";
import { proposeRefund } from "../../orders/staff/propose-refund.ts";
import { recordBankTransfer, recordBankTransferReturn } from "../../orders/staff/record-bank-transfer.ts";
import { recordDisputeOutcome } from "../../orders/staff/record-dispute-outcome.ts";
import {
  recordManualSubmission,
  startManualSubmission,
} from "../../orders/staff/record-manual-submission.ts";
import type { StaffAct } from "../../orders/staff/staff-act.ts";
import * as staff from "../../orders/staff/staff-actions.ts";
import { applicationIn } from "../application-body.ts";
import type * as bodies from "../order-action-bodies.ts";
import type { Parts } from "../parts.ts";
import type { Answer, StaffCall } from "../route.ts";
import { orderOf, refusedInWords } from "./order-of.ts";

/** One act of staff on one order: who, why, what they saw, and how to do it. */
type Act<Body> = (parts: Parts, order: Order, act: StaffAct, body: Body) => Promise<Told>;

/**
 * Does what staff decided on the order they saw; a note that came with it is sealed first, so that what was typed is not lost.
 * @throws Problem 409 with the newer entries when the order has moved on since
 */
const acting =
  <Body extends bodies.ActRequest>(action: StaffAction, perform: Act<Body>) =>
  (parts: Parts) =>
  async (call: StaffCall<Body>): Promise<Answer> => {
    const { body, by } = call;
    const { orderId, now } = await orderOf(parts, call);
    const told = await refusedInWords(parts, orderId, body.expectedRevision, async () => {
      const act = actOf(call);
      const next = await withNote(parts, now.order, action, act, body.note, by);
      return perform(parts, now.order, next, body);
    });
    return { body: { revision: told.revision }, position: told.position };
  };

const actOf = ({ body, by, idempotencyKey, correlationId }: StaffCall<bodies.ActRequest>): StaffAct => ({
  by: { userId: by.userId },
  reason: body.reason,
  expectedRevision: body.expectedRevision,
  idempotencyKey,
  correlationId,
});

/**
 * Seals the note of an act, if there is one and the act may be done; answers the act as it goes on after the note.
 * @throws Refused
 */
async function withNote(
  { desk }: Parts,
  order: Order,
  action: StaffAction,
  act: StaffAct,
  note: string,
  by: StaffCall["by"],
): Promise<StaffAct> {
  if (note === "" || action === "addNote") return act;
  const offers = allowedActions(order, desk.now().toISOString(), by);
  const refusedBy = offers.find((offer) => offer.action === action)?.refusedBy;
  // What is refused anyhow is told so by the act itself, and needs no note.
  if (refusedBy) return act;
  const { revision } = await addNote(desk, order.orderId, note, act);
  return { ...act, expectedRevision: revision };
}

export const addNoteToOrder = acting<bodies.NoteRequest>("addNote", ({ desk }, { orderId }, act, { note }) =>
  addNote(desk, orderId, note, act),
);

export const startSubmission = acting<bodies.ActRequest>("startSubmission", ({ desk }, { orderId }, act) =>
  startManualSubmission(desk, orderId, act),
);

export const recordSubmission = acting<bodies.SubmissionRequest>(
  "recordSubmission",
  ({ desk }, { orderId }, act, { groOrderReference, submittedAt }) =>
    recordManualSubmission(desk, orderId, { groOrderReference, submittedAt }, act),
);

export const recordSubmissionFailure = acting<bodies.ActRequest>(
  "recordSubmissionFailure",
  ({ desk }, { orderId }, act) => staff.recordSubmissionFailure(desk, orderId, act),
);

export const recordOutcome = acting<bodies.OutcomeRequest>(
  "recordOutcome",
  ({ desk }, { orderId }, act, { outcome }) => staff.recordOutcome(desk, orderId, outcome, act),
);

export const recordDispatch = acting<bodies.DispatchRequest>(
  "recordDispatch",
  ({ desk }, { orderId }, act, { dispatchedAt }) => staff.recordDispatch(desk, orderId, dispatchedAt, act),
);

export const cancelOrder = acting<bodies.ActRequest>("cancel", ({ desk }, { orderId }, act) =>
  staff.cancelByStaff(desk, orderId, act),
);

export const failOrder = acting<bodies.FailRequest>(
  "fail",
  ({ desk }, { orderId }, act, { cause, failure }) =>
    staff.failOrder(desk, orderId, { cause, reason: failure }, act),
);

export const refundOrder = acting<bodies.RefundRequest>(
  "refund",
  ({ desk, settings }, { orderId }, act, { intentId, amountPence }) => {
    const approvalAbovePence = settings.current().refundLimitPence;
    return proposeRefund(desk, orderId, { intentId, amountPence, approvalAbovePence }, act);
  },
);

export const transferByBank = acting<bodies.BankTransferRequest>(
  "recordBankTransfer",
  ({ desk, settings }, { orderId }, act, { intentId, amountPence, reference }) => {
    const approvalAbovePence = settings.current().refundLimitPence;
    return recordBankTransfer(desk, orderId, { intentId, amountPence, reference, approvalAbovePence }, act);
  },
);

export const returnTransfer = acting<bodies.TransferReturnRequest>(
  "recordBankTransferReturn",
  ({ desk }, { orderId }, act, { transfer }) => recordBankTransferReturn(desk, orderId, transfer, act),
);

export const closeDispute = acting<bodies.DisputeOutcomeRequest>(
  "recordDisputeOutcome",
  ({ desk, settings }, { orderId }, act, { disputeId, outcome }) => {
    const approvalAbovePence = settings.current().refundLimitPence;
    return recordDisputeOutcome(desk, orderId, { disputeId, outcome, approvalAbovePence }, act);
  },
);

export const approve = acting<bodies.ProposalRequest>(
  "approveProposal",
  ({ desk }, { orderId }, act, { proposal }) => approveProposal(desk, orderId, proposal, act),
);

export const decline = acting<bodies.ProposalRequest>(
  "declineProposal",
  ({ desk }, { orderId }, act, { proposal }) => declineProposal(desk, orderId, proposal, act),
);

export const requestErasure = acting<bodies.ActRequest>("requestErasure", ({ desk }, { orderId }, act) =>
  staff.requestErasure(desk, orderId, act),
);

export const correctContact = acting<bodies.CorrectionRequest>(
  "correctContact",
  ({ desk }, { orderId }, act, { contact }) => staff.correctContactByStaff(desk, orderId, contact, act),
);

export const amendApplication = (parts: Parts, schema: () => z.ZodType<VariantRequest>) =>
  acting<bodies.AmendmentRequest>("amendApplication", ({ desk }, order, act, body) => {
    const { variant } = order;
    if (variant === null) throw forbidden(order, "variant-missing");
    const application = applicationIn(body.application, { ...order, variant }, schema());
    return staff.amendByStaff(desk, order.orderId, application, act);
  })(parts);
