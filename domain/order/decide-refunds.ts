import type { OrderCommandData } from "./commands.ts";
import { type Decisions, forbidden } from "./decision.ts";
import type { OrderEvent } from "./events.ts";
import { givenByStaffPence, hasOpenDispute, nextRefundId, refundablePence } from "./money.ts";
import type { Order, RefundProposal } from "./state.ts";

type Wanted = Pick<OrderCommandData<"RequestRefund">, "intentId" | "amountPence" | "reason">;

/** @throws Refused while the bank decides about a payment, and above what is left of it */
function assertRefundable(order: Order, { intentId, amountPence }: Wanted): void {
  if (hasOpenDispute(order)) throw forbidden(order, "dispute-open");
  const most = refundablePence(order, intentId);
  if (amountPence > most) throw forbidden(order, "above-captured", { refundablePence: most });
}

const requested = (
  order: Order,
  { intentId, amountPence, reason }: Wanted,
  proposal: number | null,
): OrderEvent => ({
  type: "RefundRequested",
  data: { refundId: nextRefundId(order), intentId, amountPence, reason, proposal },
});

/** @throws Refused when there is no such proposal */
function proposalOf(order: Order, number: number): RefundProposal {
  const found = order.proposals.find(({ proposal }) => proposal === number);
  if (!found) throw forbidden(order, "no-such-proposal");
  return found;
}

const statusOfRefund = (order: Order, refundId: string) =>
  order.refunds.find((refund) => refund.refundId === refundId)?.status;

/** How money goes back, by us or by the bank. */
export const refundDecisions: Decisions<
  | "RequestRefund"
  | "ApproveRefund"
  | "DeclineRefund"
  | "RecordRefund"
  | "RecordRefundFailure"
  | "RecordDispute"
> = {
  RequestRefund(order, { approvalAbovePence, ...wanted }, { actor }) {
    assertRefundable(order, wanted);
    // Counted together: a sum in small parts is the same sum.
    const given = givenByStaffPence(order) + wanted.amountPence;
    if (approvalAbovePence === null || given <= approvalAbovePence) return [requested(order, wanted, null)];
    const proposal = order.proposals.length + 1;
    return [{ type: "RefundProposed", data: { proposal, ...wanted, proposedBy: actor.id } }];
  },

  ApproveRefund(order, { proposal }, { actor }) {
    const proposed = proposalOf(order, proposal);
    if (proposed.status === "approved") return [];
    if (proposed.status === "declined") throw forbidden(order, "proposal-declined");
    if (actor.kind !== "staff" || actor.id === proposed.proposedBy)
      throw forbidden(order, "second-person-needed");
    assertRefundable(order, proposed);
    return [requested(order, proposed, proposal)];
  },

  DeclineRefund(order, { proposal }) {
    const { status } = proposalOf(order, proposal);
    if (status === "approved") throw forbidden(order, "proposal-approved");
    return status === "declined" ? [] : [{ type: "RefundDeclined", data: { proposal } }];
  },

  RecordRefund(order, data) {
    const refundId = data.refundId ?? nextRefundId(order);
    return statusOfRefund(order, refundId) === "issued"
      ? []
      : [{ type: "RefundIssued", data: { ...data, refundId } }];
  },

  RecordRefundFailure(order, data) {
    const refundId = data.refundId ?? nextRefundId(order);
    return statusOfRefund(order, refundId) === "failed"
      ? []
      : [{ type: "RefundFailed", data: { ...data, refundId } }];
  },

  RecordDispute(order, { outcome, ...dispute }) {
    const { disputeId } = dispute;
    const known = order.disputes.find((other) => other.disputeId === disputeId);
    const opened: OrderEvent[] = known ? [] : [{ type: "DisputeOpened", data: dispute }];
    // One that is closed stays closed: a report that calls it open was overtaken.
    if (outcome === null || known?.outcome === outcome) return opened;
    return [...opened, { type: "DisputeClosed", data: { disputeId, outcome } }];
  },
};
