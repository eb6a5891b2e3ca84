import type { OrderEvent } from "../events.ts";
import { type Decisions, forbidden } from "../rules.ts";
import type { Order, Proposal } from "../state.ts";
import { closed, openDispute } from "./decide-disputes.ts";
import { requested, transferred } from "./decide-refunds.ts";

/** @throws Refused when there is no such proposal, or it is about a dispute that was closed meanwhile */
function proposalOf(order: Order, number: number): Proposal {
  const found = order.proposals.find(({ proposal }) => proposal === number);
  if (!found) throw forbidden(order, "no-such-proposal");
  if (found.status === "lapsed") throw forbidden(order, "dispute-closed");
  return found;
}

/** What comes about once a proposal is approved. @throws Refused when it may not come about any more */
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

/** What a second person decides. */
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
