import type { OrderCommandData } from "./commands.ts";
import { type Decisions, forbidden } from "./decision.ts";
import type { OrderEvent } from "./events.ts";
import { givenByStaffPence, hasOpenDispute, nextRefundId, refundablePence, refundIn } from "./money.ts";
import { refundIdPrefix } from "./provider-keys.ts";
import type { Order, Refund, RefundProposal } from "./state.ts";

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

/**
 * The ids that an event may name of a report. What the provider keeps as our id is metadata that people can edit there: it counts when a refund is
 * first heard of, if it is an id of this order's and no other refund of the provider's has it.
 */
function idsOf(
  order: Order,
  { refundId, providerRefundId }: Pick<OrderCommandData<"RecordRefund">, "refundId" | "providerRefundId">,
): Pick<Refund, "refundId" | "providerRefundId"> {
  const known = providerRefundId && refundIn(order, { refundId: null, providerRefundId });
  if (known) return { refundId: known.refundId, providerRefundId };
  const isOurs = refundId?.startsWith(refundIdPrefix(order.orderId)) ?? false;
  const another = order.refunds.find((known) => known.refundId === refundId)?.providerRefundId ?? null;
  const isTaken = providerRefundId !== null && another !== null && another !== providerRefundId;
  return { refundId: isOurs && !isTaken ? refundId : null, providerRefundId };
}

const namesNone = (ids: ReturnType<typeof idsOf>): boolean =>
  ids.refundId === null && ids.providerRefundId === null;

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
    const ids = idsOf(order, data);
    const known = refundIn(order, ids);
    // At the provider a refund may fail after it succeeded, and never the other way round: such a report was overtaken.
    const hasFailed = known?.status === "failed" && known.providerRefundId !== null;
    if (namesNone(ids) || known?.status === "issued" || hasFailed) return [];
    return [{ type: "RefundIssued", data: { ...data, ...ids } }];
  },

  RecordRefundFailure(order, data) {
    const ids = idsOf(order, data);
    const known = refundIn(order, ids);
    // That the provider refuses to make one does not undo one that it made.
    const wasMade = ids.providerRefundId === null && known?.status === "issued";
    if (namesNone(ids) || known?.status === "failed" || wasMade) return [];
    return [{ type: "RefundFailed", data: { ...data, ...ids } }];
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
