import type { Proposal } from "../../../domain/order/state.ts";
import { pick } from "../../../services/operations/seed/seeded-random.ts";
import type { OrderResult } from "../../../services/orders/orders.ts";
import { approveProposal, declineProposal, proposeRefund } from "../../../services/orders/staff/proposals.ts";
import { refundLimitPence } from "../platform/product.ts";
import { chance, clicked, persist, type Site, waits } from "./site.ts";
import { actOf } from "./staff.ts";

// What staff give back. Above the limit, a second person decides.

/** Two of the second pass the limit together; the last passes it alone. */
const amountsPence = [700, 1_500, 2_400] as const;

/** A part of the price; now and then a colleague gives another part at the same time. */
export async function giveBack(site: Site, orderId: string, intentId: string): Promise<void> {
  await (chance(site, 0.5) ? waits(site, 0, 20_000) : waits(site, 20_000, 240_000));
  if (chance(site, 0.3)) site.aside(give(site, { orderId, intentId, author: "user_bob" }));
  await give(site, { orderId, intentId, author: "user_ann" });
}

type Giving = { readonly orderId: string; readonly intentId: string; readonly author: string };

async function give(site: Site, { orderId, intentId, author }: Giving): Promise<void> {
  const amountPence = pick(site.random, amountsPence);
  const act = actOf(site, author);
  site.wishes.add(orderId);
  const wish = { intentId, amountPence, approvalAbovePence: refundLimitPence };
  const given = await clicked(site, 0.5, "give back", (deps) => proposeRefund(deps, orderId, wish, act));
  const [result] = given;
  if (!result) return;
  const proposal = proposedBy(author, result);
  if (proposal === undefined) {
    site.acknowledge.order(orderId, "goodwill", ({ refunds }) =>
      refunds.some((refund) => refund.reason === "staffDecision" && refund.amountPence === amountPence),
    );
    return;
  }
  if (chance(site, 0.25)) site.aside(decline(site, orderId, proposal));
  await approveTogether(site, orderId, proposal, author);
}

/** The number of the last proposal that a person made. */
export const proposedBy = (author: string, { order }: OrderResult): number | undefined =>
  order.proposals.findLast((proposal) => proposal.proposedBy === author)?.proposal;

/** Its author tries to, which must be refused; then a colleague does. */
export async function approveTogether(
  site: Site,
  orderId: string,
  proposal: number,
  author: string,
): Promise<void> {
  site.acknowledge.order(orderId, `proposal ${proposal}`, (order) => has(order.proposals, proposal));
  await waits(site, 1_000, 60_000);
  if (chance(site, 0.4)) site.aside(approve(site, orderId, proposal, author));
  await approve(site, orderId, proposal, "user_cem");
}

async function approve(site: Site, orderId: string, proposal: number, userId: string): Promise<void> {
  const act = actOf(site, userId);
  const approved = await clicked(site, 0.4, "approve", (deps) =>
    approveProposal(deps, orderId, proposal, act),
  );
  if (approved.length === 0) return;
  site.acknowledge.order(orderId, `approval of proposal ${proposal}`, (order) =>
    has(order.proposals, proposal, "approved"),
  );
}

async function decline(site: Site, orderId: string, proposal: number): Promise<void> {
  await waits(site, 1_000, 60_000);
  const act = actOf(site, "user_dee");
  const declined = await persist(site, "decline", (deps) => declineProposal(deps, orderId, proposal, act));
  if (!declined) return;
  site.acknowledge.order(orderId, `refusal of proposal ${proposal}`, (order) =>
    has(order.proposals, proposal, "declined"),
  );
}

const has = (proposals: readonly Proposal[], number: number, status?: Proposal["status"]): boolean =>
  proposals.some((each) => each.proposal === number && (status === undefined || each.status === status));
