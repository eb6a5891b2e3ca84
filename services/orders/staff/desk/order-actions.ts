import * as contract from "../../../../contract/order-desk/actions.ts";
import type { ApiRequest, Read, Schema } from "../../../../contract/request.ts";
import { forbidden } from "../../../../domain/order/rules.ts";
import { allowedActions, type StaffAction } from "../../../../domain/order/staff/staff-actions.ts";
import type { Order } from "../../../../domain/order/state.ts";
import type { Parts } from "../../../gateway/parts.ts";
import type { StaffCall } from "../../../gateway/routing/route.ts";
import { type RouteOf, staffRoute } from "../../../gateway/routing/route.ts";
import type { Role } from "../../../identity/roles.ts";
import type { Told } from "../../orders.ts";
import { applicationIn, applicationSchema } from "../../requests/application-body.ts";
import { addNote } from "../add-note.ts";
import { approveProposal, declineProposal } from "../approve-proposal.ts";
import { proposeRefund } from "../propose-refund.ts";
import { recordBankTransfer, recordBankTransferReturn } from "../record-bank-transfer.ts";
import { recordDisputeOutcome } from "../record-dispute-outcome.ts";
import { recordManualSubmission, startManualSubmission } from "../record-manual-submission.ts";
import type { StaffAct } from "../staff-act.ts";
import * as staff from "../staff-actions.ts";
import { orderOf, refusedInWords } from "./order-of.ts";

/** One act of staff on one order: who, why, what they saw, and how to do it. */
type Act<Body> = (parts: Parts, order: Order, act: StaffAct, body: Body) => Promise<Told>;

/**
 * Does what staff decided on the order they saw; a note that came with it is sealed first, so that what was typed is not lost.
 * @throws Problem 409 with the newer entries when the order has moved on since
 */
const acting = <Body extends ActRequest>(
  request: ApiRequest<string, readonly Role[], Schema<Body>, Answers>,
  action: StaffAction,
  perform: Act<Body>,
): RouteOf =>
  staffRoute(request, (parts) => async (call) => {
    const { body, by } = call;
    const { orderId, now } = await orderOf(parts, call);
    const told = await refusedInWords(parts, orderId, body.expectedRevision, async () => {
      const act = actOf(call);
      const next = await withNote(parts, now.order, action, act, body.note, by);
      return perform(parts, now.order, next, body);
    });
    return { body: { revision: told.revision }, position: told.position };
  });

type Answers = (typeof contract.addNote)["answers"];
type ActRequest = Read<typeof contract.cancel>;

const actOf = ({ body, by, idempotencyKey, correlationId }: StaffCall<ActRequest>): StaffAct => ({
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

const addNoteToOrder = acting(contract.addNote, "addNote", ({ desk }, { orderId }, act, { note }) =>
  addNote(desk, orderId, note, act),
);

const startSubmission = acting(contract.startSubmission, "startSubmission", ({ desk }, { orderId }, act) =>
  startManualSubmission(desk, orderId, act),
);

const recordSubmission = acting(
  contract.recordSubmission,
  "recordSubmission",
  ({ desk }, { orderId }, act, { groOrderReference, submittedAt }) =>
    recordManualSubmission(desk, orderId, { groOrderReference, submittedAt }, act),
);

const recordSubmissionFailure = acting(
  contract.recordSubmissionFailure,
  "recordSubmissionFailure",
  ({ desk }, { orderId }, act) => staff.recordSubmissionFailure(desk, orderId, act),
);

const recordOutcome = acting(
  contract.recordOutcome,
  "recordOutcome",
  ({ desk }, { orderId }, act, { outcome }) => staff.recordOutcome(desk, orderId, outcome, act),
);

const recordDispatch = acting(
  contract.recordDispatch,
  "recordDispatch",
  ({ desk }, { orderId }, act, { dispatchedAt }) => staff.recordDispatch(desk, orderId, dispatchedAt, act),
);

const cancelOrder = acting(contract.cancel, "cancel", ({ desk }, { orderId }, act) =>
  staff.cancelByStaff(desk, orderId, act),
);

const failOrder = acting(contract.fail, "fail", ({ desk }, { orderId }, act, { cause, failure }) =>
  staff.failOrder(desk, orderId, { cause, reason: failure }, act),
);

const refundOrder = acting(
  contract.refund,
  "refund",
  ({ desk, settings }, { orderId }, act, { intentId, amountPence }) => {
    const approvalAbovePence = settings.current().refundLimitPence;
    return proposeRefund(desk, orderId, { intentId, amountPence, approvalAbovePence }, act);
  },
);

const transferByBank = acting(
  contract.recordBankTransfer,
  "recordBankTransfer",
  ({ desk, settings }, { orderId }, act, { intentId, amountPence, reference }) => {
    const approvalAbovePence = settings.current().refundLimitPence;
    return recordBankTransfer(desk, orderId, { intentId, amountPence, reference, approvalAbovePence }, act);
  },
);

const returnTransfer = acting(
  contract.recordBankTransferReturn,
  "recordBankTransferReturn",
  ({ desk }, { orderId }, act, { transfer }) => recordBankTransferReturn(desk, orderId, transfer, act),
);

const closeDispute = acting(
  contract.recordDisputeOutcome,
  "recordDisputeOutcome",
  ({ desk, settings }, { orderId }, act, { disputeId, outcome }) => {
    const approvalAbovePence = settings.current().refundLimitPence;
    return recordDisputeOutcome(desk, orderId, { disputeId, outcome, approvalAbovePence }, act);
  },
);

const approve = acting(
  contract.approveProposal,
  "approveProposal",
  ({ desk }, { orderId }, act, { proposal }) => approveProposal(desk, orderId, proposal, act),
);

const decline = acting(
  contract.declineProposal,
  "declineProposal",
  ({ desk }, { orderId }, act, { proposal }) => declineProposal(desk, orderId, proposal, act),
);

const requestErasure = acting(contract.requestErasure, "requestErasure", ({ desk }, { orderId }, act) =>
  staff.requestErasure(desk, orderId, act),
);

const correctContact = acting(
  contract.correctContact,
  "correctContact",
  ({ desk }, { orderId }, act, { contact }) => staff.correctContactByStaff(desk, orderId, contact, act),
);

const amendApplication = acting(
  contract.amendApplication,
  "amendApplication",
  ({ desk }, order, act, body) => {
    const { variant } = order;
    if (variant === null) throw forbidden(order, "variant-missing");
    const application = applicationIn(body.application, { ...order, variant }, applicationSchema(desk.now)());
    return staff.amendByStaff(desk, order.orderId, application, act);
  },
);

export const orderActions = [
  addNoteToOrder,
  startSubmission,
  recordSubmission,
  recordSubmissionFailure,
  recordOutcome,
  recordDispatch,
  cancelOrder,
  failOrder,
  refundOrder,
  transferByBank,
  returnTransfer,
  closeDispute,
  approve,
  decline,
  requestErasure,
  correctContact,
  amendApplication,
];
