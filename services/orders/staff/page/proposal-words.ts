import type { Order, Proposal } from "../../../../domain/order/state.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { words } from "./code-words.ts";

/** A proposal in words: `£90.00 refunded to the card, goodwill`. */
export function wordsOfProposal({ disputes }: Pick<Order, "disputes">, proposal: Proposal): string {
  switch (proposal.kind) {
    case "refund":
      return `${formatPounds(proposal.amountPence)} refunded to the card, ${words.refund[proposal.reason]}`;
    case "bankTransfer":
      return `${formatPounds(proposal.amountPence)} by bank transfer`;
    case "disputeOutcome": {
      const dispute = disputes.find(({ disputeId }) => disputeId === proposal.disputeId);
      const over = dispute ? ` over ${formatPounds(dispute.amountPence)}` : "";
      return `dispute${over} ${words.disputeOutcome[proposal.outcome]}`;
    }
    default:
      return proposal satisfies never;
  }
}
