import type { OrderCommandData } from "../commands.ts";
import type { OrderEvent, OrderEventData } from "../events.ts";
import { type Decisions, forbidden } from "../rules.ts";
import type { Dispute, Order, Proposal, Refund } from "../state.ts";
import type { OutcomeSource } from "../vocabulary.ts";
import {
  bankTransfers,
  givenByStaffPence,
  nextRefundId,
  refundablePence,
  refundHold,
  refundIn,
  unassignedRefunds,
} from "./money.ts";
import { refundIdPrefix } from "./provider-keys.ts";

type Wanted = Pick<OrderCommandData<"RequestRefund">, "intentId" | "amountPence" | "reason">;
type Transfer = Pick<OrderCommandData<"RecordBankTransfer">, "intentId" | "amountPence" | "referenceRef">;

/** @throws Refused while a refund has to wait, and above what is left of the payment */
function assertRefundable(order: Order, { intentId, amountPence }: Omit<Wanted, "reason">): void {
  const hold = refundHold(order);
  if (hold !== undefined) throw forbidden(order, hold);
  const most = refundablePence(order, intentId);
  if (amountPence > most) throw forbidden(order, "above-captured", { refundablePence: most });
}

/** The request for a refund to the card. @throws Refused */
function requested(order: Order, wanted: Wanted, proposal: number | null): OrderEvent {
  assertRefundable(order, wanted);
  const { intentId, amountPence, reason } = wanted;
  const refundId = nextRefundId(order);
  return { type: "RefundRequested", data: { refundId, intentId, amountPence, reason, proposal } };
}

/**
 * The record of a bank transfer. @throws Refused where the card has not failed, or is still being tried: the money
 * could go twice
 */
function transferred(order: Order, transfer: Transfer, proposal: number | null): OrderEvent {
  assertRefundable(order, transfer);
  const { intentId, amountPence, referenceRef } = transfer;
  const tries = order.refunds.filter((refund) => refund.intentId === intentId && refund.way === "card");
  if (tries.some(({ status }) => status === "pending")) throw forbidden(order, "refund-open");
  if (!tries.some(({ status }) => status === "failed")) throw forbidden(order, "no-failed-refund");
  return { type: "BankTransferRecorded", data: { intentId, amountPence, referenceRef, proposal } };
}

/** A reference is kept no longer than the contact data: it would outlive what it is about. */
function assertReference(order: Order, { referenceRef }: Transfer): void {
  const isPurged = order.vault.contact === null;
  if (isPurged && referenceRef !== null) throw forbidden(order, "contact-purged");
  if (!isPurged && referenceRef === null) throw forbidden(order, "reference-missing");
}

/**
 * True when the sum is more than one person may give back. What staff gave before counts, so that splitting a sum does
 * not help.
 */
const needsApproval = (order: Order, amountPence: number, approvalAbovePence: number | null): boolean =>
  approvalAbovePence !== null && givenByStaffPence(order) + amountPence > approvalAbovePence;

/**
 * The ids that an event may name of a report. What the provider keeps as our id is metadata that people can edit there:
 * it counts when a refund is first heard of, if it is an id of this order's and no other refund of the provider's has
 * it.
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

/** How we give money back, and the outcome. */
export const refundDecisions: Decisions<
  | "RequestRefund"
  | "RecordBankTransfer"
  | "RecordBankTransferReturn"
  | "RecordRefund"
  | "RecordRefundFailure"
  | "RecordUnassignedRefund"
  | "RecordRefundOfOthers"
> = {
  RequestRefund(order, { approvalAbovePence, ...wanted }, { actor }) {
    const atOnce = requested(order, wanted, null);
    if (!needsApproval(order, wanted.amountPence, approvalAbovePence)) return [atOnce];
    const proposal = order.proposals.length + 1;
    return [{ type: "RefundProposed", data: { proposal, ...wanted, proposedBy: actor.id } }];
  },

  RecordBankTransfer(order, { approvalAbovePence, ...transfer }, { actor }) {
    const atOnce = transferred(order, transfer, null);
    assertReference(order, transfer);
    if (!needsApproval(order, transfer.amountPence, approvalAbovePence)) return [atOnce];
    const proposal = order.proposals.length + 1;
    return [{ type: "BankTransferProposed", data: { proposal, ...transfer, proposedBy: actor.id } }];
  },

  RecordBankTransferReturn(order, { transfer }) {
    const made = bankTransfers(order)[transfer - 1];
    if (!made) throw forbidden(order, "no-such-transfer");
    return made.status === "failed" ? [] : [{ type: "BankTransferReturned", data: { transfer } }];
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
    // The provider's refusal of a refund does not undo one that it made.
    const wasMade = ids.providerRefundId === null && known?.status === "issued";
    if (namesNone(ids) || known?.status === "failed" || wasMade) return [];
    return [{ type: "RefundFailed", data: { ...data, ...ids } }];
  },

  RecordUnassignedRefund({ refunds, refundsByHand = [] }, data) {
    const isIt = ({ providerRefundId }: Pick<Refund, "providerRefundId">) =>
      providerRefundId === data.providerRefundId;
    // A report that was overtaken by its assignment.
    if (refunds.some(isIt) || refundsByHand.some(isIt)) return [];
    return [{ type: "UnassignedRefundFound", data }];
  },

  RecordRefundOfOthers: (order, data) =>
    unassignedRefunds(order).some(({ providerRefundId }) => providerRefundId === data.providerRefundId)
      ? [{ type: "RefundAssignedToOthers", data }]
      : [],
};

/** @throws Refused where there is no such dispute, and once it is closed: the provider's outcome is final */
function openDispute(order: Order, disputeId: string): Dispute {
  const found = order.disputes.find((dispute) => dispute.disputeId === disputeId);
  if (!found) throw forbidden(order, "no-such-dispute");
  if (found.outcome !== null) throw forbidden(order, "dispute-closed");
  return found;
}

/** The end of a dispute. */
const closed = (
  { disputeId, outcome }: Pick<OrderEventData<"DisputeClosed">, "disputeId" | "outcome">,
  toldBy: OutcomeSource,
  proposal: number | null = null,
): OrderEvent => ({ type: "DisputeClosed", data: { disputeId, outcome, toldBy, proposal } });

/** The bank's decision, reported by the provider or, where it never does, by staff. */
export const disputeDecisions: Decisions<"RecordDispute" | "RecordDisputeOutcome"> = {
  RecordDispute(order, { outcome, ...dispute }) {
    const { disputeId } = dispute;
    const known = order.disputes.find((other) => other.disputeId === disputeId);
    const opened: OrderEvent[] = known ? [] : [{ type: "DisputeOpened", data: dispute }];
    if (outcome === null) {
      // One that the provider closed stays closed: a report that calls it open was overtaken. The word of staff is not
      // as good.
      return known?.toldBy === "staff" ? [{ type: "DisputeReopened", data: { disputeId } }] : opened;
    }
    if (known?.outcome === outcome && known.toldBy === "provider") return [];
    return [...opened, closed({ disputeId, outcome }, "provider")];
  },

  RecordDisputeOutcome(order, { approvalAbovePence, ...known }, { actor }) {
    const { amountPence } = openDispute(order, known.disputeId);
    if (approvalAbovePence === null || amountPence <= approvalAbovePence) return [closed(known, "staff")];
    const proposal = order.proposals.length + 1;
    return [{ type: "DisputeOutcomeProposed", data: { proposal, ...known, proposedBy: actor.id } }];
  },
};

/** @throws Refused when there is no such proposal, or it is about a dispute that was closed meanwhile */
function proposalOf(order: Order, number: number): Proposal {
  const found = order.proposals.find(({ proposal }) => proposal === number);
  if (!found) throw forbidden(order, "no-such-proposal");
  if (found.status === "lapsed") throw forbidden(order, "dispute-closed");
  return found;
}

/**
 * What an approved proposal leads to.
 * @throws Refused when that is no longer allowed
 */
function carriedOut(order: Order, proposed: Proposal): OrderEvent {
  switch (proposed.kind) {
    case "refund":
      return requested(order, proposed, proposed.proposal);
    case "bankTransfer":
      return transferred(order, proposed, proposed.proposal);
    case "disputeOutcome":
      openDispute(order, proposed.disputeId);
      return closed(proposed, "staff", proposed.proposal);
    default:
      return proposed satisfies never;
  }
}

/** What a second person decides about a refund, a bank transfer or the outcome of a dispute. */
export const proposalDecisions: Decisions<"ApproveProposal" | "DeclineProposal"> = {
  ApproveProposal(order, { proposal }, { actor }) {
    const proposed = proposalOf(order, proposal);
    if (proposed.status === "approved") return [];
    if (proposed.status === "declined") throw forbidden(order, "proposal-declined");
    if (actor.kind !== "staff" || actor.id === proposed.proposedBy)
      throw forbidden(order, "second-person-needed");
    return [carriedOut(order, proposed)];
  },

  DeclineProposal(order, { proposal }) {
    const { status, kind } = proposalOf(order, proposal);
    if (status === "approved") throw forbidden(order, "proposal-approved");
    if (status === "declined") return [];
    const type = kind === "disputeOutcome" ? "DisputeOutcomeDeclined" : "RefundDeclined";
    return [{ type, data: { proposal } }];
  },
};
