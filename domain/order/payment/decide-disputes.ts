import type { OrderEvent, OrderEventData } from "../events.ts";
import { type Decisions, forbidden } from "../rules.ts";
import type { Dispute, Order } from "../state.ts";
import type { OutcomeSource } from "../vocabulary.ts";

/** @throws Refused where there is no such dispute, and once it is closed: the provider's word is not to be overruled */
export function openDispute(order: Order, disputeId: string): Dispute {
  const found = order.disputes.find((dispute) => dispute.disputeId === disputeId);
  if (!found) throw forbidden(order, "no-such-dispute");
  if (found.outcome !== null) throw forbidden(order, "dispute-closed");
  return found;
}

/** The end of a dispute. */
export const closed = (
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
