import type { Order, Proposal } from "../../../../domain/order/state.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { words } from "./code-words.ts";

/** What a proposal asks for, in words: `£90.00 back to the card, goodwill`. */
export function wordsOfProposal({ disputes }: Pick<Order, "disputes">, proposal: Proposal): string {
  switch (proposal.kind) {
    case "refund":
      return `${formatPounds(proposal.amountPence)} back to the card, ${words.refund[proposal.reason]}`;
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
