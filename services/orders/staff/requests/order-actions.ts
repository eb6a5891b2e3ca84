import type { ApiRequest, Read, Schema } from "../../../../contract/request.ts";
import * as contract from "../../../../contract/staff-orders/actions.ts";
import { forbidden } from "../../../../domain/order/rules.ts";
import { assertAllowed, type StaffAction } from "../../../../domain/order/staff/staff-actions.ts";
import type { Order } from "../../../../domain/order/state.ts";
import type { HandlerDependencies } from "../../../gateway/parts.ts";
import { type RouteOf, type StaffCall, staffRoute } from "../../../gateway/route.ts";
import type { Role } from "../../../identity/session-token.ts";
import { applicationIn, applicationSchema } from "../../amend-application.ts";
import type { StaffAct } from "../../command-ids.ts";
import type { OrderResult } from "../../orders.ts";
import { assignRefund } from "../../payments/returns.ts";
import { recordManualSubmission, startManualSubmission } from "../../submission/submit-order.ts";
import {
  approveProposal,
  declineProposal,
  proposeRefund,
  recordBankTransfer,
  recordBankTransferReturn,
  recordDisputeOutcome,
} from "../proposals.ts";
import * as staff from "../staff-actions.ts";
import { addNote } from "../staff-actions.ts";
import { orderOf, refusedInWords } from "./order-reads.ts";

/** One staff action on one order: author, reason, revision seen, and the function that performs it. */
type Act<Body> = (
  dependencies: HandlerDependencies,
  order: Order,
  act: StaffAct,
  body: Body,
) => Promise<OrderResult>;

/**
 * Performs a staff action on the order as they saw it, then adds the note that came with it, so a refused action leaves
 * none. If the process dies between the two, a repeat under the same key adds it.
 * @throws Problem 409 with the newer entries when the order has moved on since
 */
const acting = <Body extends ActRequest>(
  request: ApiRequest<string, readonly Role[], Schema<Body>, Answers>,
  action: StaffAction,
  perform: Act<Body>,
): RouteOf =>
  staffRoute(request, (dependencies) => async (call) => {
    const { body, by } = call;
    const { orderId, now } = await orderOf(dependencies, call);
    const result = await refusedInWords(dependencies, orderId, body.expectedRevision, async () => {
      const act = actOf(call);
      const noting = body.note !== "" && action !== "addNote";
      // A note that is refused after the action would make the action look refused.
      if (noting) assertAllowed(now.order, "addNote", by, dependencies.deps.now().toISOString());
      const done = await perform(dependencies, now.order, act, body);
      // The action has changed the revision.
      return noting
        ? addNote(dependencies.deps, orderId, body.note, { ...act, expectedRevision: undefined })
        : done;
    });
    return { body: { revision: result.revision }, position: result.position };
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

const addNoteToOrder = acting(contract.addNote, "addNote", ({ deps }, { orderId }, act, { note }) =>
  addNote(deps, orderId, note, act),
);

const startSubmission = acting(contract.startSubmission, "startSubmission", ({ deps }, { orderId }, act) =>
  startManualSubmission(deps, orderId, act),
);

const recordSubmission = acting(
  contract.recordSubmission,
  "recordSubmission",
  ({ deps }, { orderId }, act, { groOrderReference, submittedAt }) =>
    recordManualSubmission(deps, orderId, { groOrderReference, submittedAt }, act),
);

const recordSubmissionFailure = acting(
  contract.recordSubmissionFailure,
  "recordSubmissionFailure",
  ({ deps }, { orderId }, act) => staff.recordSubmissionFailure(deps, orderId, act),
);

const recordOutcome = acting(
  contract.recordOutcome,
  "recordOutcome",
  ({ deps }, { orderId }, act, { outcome, question }) =>
    staff.recordOutcome(deps, orderId, { outcome, question }, act),
);

const recordDispatch = acting(
  contract.recordDispatch,
  "recordDispatch",
  ({ deps }, { orderId }, act, { dispatchedAt }) => staff.recordDispatch(deps, orderId, dispatchedAt, act),
);

const cancelOrder = acting(contract.cancel, "cancel", ({ deps }, { orderId }, act) =>
  staff.cancelByStaff(deps, orderId, act),
);

const failOrder = acting(contract.fail, "fail", ({ deps }, { orderId }, act, { cause, failure }) =>
  staff.failOrder(deps, orderId, { cause, reason: failure }, act),
);

const refundOrder = acting(
  contract.refund,
  "refund",
  ({ deps, settings }, { orderId }, act, { intentId, amountPence }) => {
    const approvalAbovePence = settings.current().refundLimitPence;
    return proposeRefund(deps, orderId, { intentId, amountPence, approvalAbovePence }, act);
  },
);

const assignRefundByHand = acting(
  contract.assignRefund,
  "assignRefund",
  ({ deps }, { orderId }, act, { providerRefundId, shares }) =>
    assignRefund(deps, orderId, { providerRefundId, shares }, act),
);

const transferByBank = acting(
  contract.recordBankTransfer,
  "recordBankTransfer",
  ({ deps, settings }, { orderId }, act, { intentId, amountPence, reference }) => {
    const approvalAbovePence = settings.current().refundLimitPence;
    return recordBankTransfer(deps, orderId, { intentId, amountPence, reference, approvalAbovePence }, act);
  },
);

const returnTransfer = acting(
  contract.recordBankTransferReturn,
  "recordBankTransferReturn",
  ({ deps }, { orderId }, act, { transfer }) => recordBankTransferReturn(deps, orderId, transfer, act),
);

const closeDispute = acting(
  contract.recordDisputeOutcome,
  "recordDisputeOutcome",
  ({ deps, settings }, { orderId }, act, { disputeId, outcome }) => {
    const approvalAbovePence = settings.current().refundLimitPence;
    return recordDisputeOutcome(deps, orderId, { disputeId, outcome, approvalAbovePence }, act);
  },
);

const approve = acting(
  contract.approveProposal,
  "approveProposal",
  ({ deps }, { orderId }, act, { proposal }) => approveProposal(deps, orderId, proposal, act),
);

const decline = acting(
  contract.declineProposal,
  "declineProposal",
  ({ deps }, { orderId }, act, { proposal }) => declineProposal(deps, orderId, proposal, act),
);

const requestErasure = acting(contract.requestErasure, "requestErasure", ({ deps }, { orderId }, act) =>
  staff.requestErasure(deps, orderId, act),
);

const correctContact = acting(
  contract.correctContact,
  "correctContact",
  ({ deps }, { orderId }, act, { contact }) => staff.correctContactByStaff(deps, orderId, contact, act),
);

const sendAgain = acting(contract.sendAgain, "sendAgain", ({ deps }, { orderId }, act) =>
  staff.sendAgain(deps, orderId, act),
);

const amendApplication = acting(
  contract.amendApplication,
  "amendApplication",
  ({ deps }, order, act, body) => {
    const { variant } = order;
    if (variant === null) throw forbidden(order, "variant-missing");
    const amendment = applicationIn(body.application, { ...order, variant }, applicationSchema(deps.now)());
    return staff.amendByStaff(deps, order.orderId, amendment, act);
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
  assignRefundByHand,
  transferByBank,
  returnTransfer,
  closeDispute,
  approve,
  decline,
  requestErasure,
  correctContact,
  sendAgain,
  amendApplication,
];
