import { divide } from "../../../domain/checkout/shares.ts";
import { refundablePence, unassignedRefunds } from "../../../domain/order/payment/money.ts";
import type { Proposal } from "../../../domain/order/state.ts";
import { pick } from "../../../services/operations/seed/seeded-random.ts";
import type { OrderResult } from "../../../services/orders/orders.ts";
import { takePaymentNotice } from "../../../services/orders/payments/payment-webhook.ts";
import { assignRefund } from "../../../services/orders/payments/returns.ts";
import {
  approveProposal,
  declineProposal,
  proposeRefund,
  recordBankTransfer,
} from "../../../services/orders/staff/proposals.ts";
import { refundLimitPence } from "../platform/product.ts";
import { afterTrouble, chance, clicked, notify, persist, type Site, waits } from "./site.ts";
import { actOf } from "./staff.ts";

// What staff give back. Above the limit, a second person decides.

/** Two of the second pass the limit together; the last passes it alone. */
const amountsPence = [700, 1_500, 2_400] as const;

/** Less than one order's price, and more. */
const byHandPence = [1_000, 6_000] as const;

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

/** Someone refunds in the provider's dashboard, and two colleagues say whose it is. */
export async function refundByHand(site: Site, orderIds: readonly string[], intentId: string): Promise<void> {
  await waits(site, 0, 200_000);
  const refund = {
    providerRefundId: `re_${site.newId()}`,
    intentId,
    amountPence: pick(site.random, byHandPence),
  };
  const { providerRefundId, amountPence } = refund;
  if (!(await site.bank.refundByHand(providerRefundId, intentId, amountPence))) return;
  site.tell(() => `bank: ${providerRefundId} of ${intentId} by hand`);
  const notice = { eventId: site.newId(), kind: "refund", intentId, refundId: providerRefundId } as const;
  notify(site, "stripe", (deps, by) => takePaymentNotice(deps, notice, by));
  await waits(site, 5_000, 200_000);
  site.aside(assign(site, orderIds, refund, "user_bob"));
  await assign(site, orderIds, refund, "user_ann");
  await afterTrouble(site);
  await assign(site, orderIds, refund, "user_ann");
  // Divided by then, even where nobody has assigned it.
  await waits(site, 380_000, 400_000);
  for (const orderId of orderIds) await transferWhatIsStuck(site, orderId);
}

type RefundByHand = {
  readonly providerRefundId: string;
  readonly intentId: string;
  readonly amountPence: number;
};

/** Begins with any of its orders. */
async function assign(
  site: Site,
  orderIds: readonly string[],
  { providerRefundId, intentId, amountPence }: RefundByHand,
  author: string,
): Promise<void> {
  const first = pick(site.random, [...orderIds.keys()]);
  const sequence = [...orderIds.slice(first), ...orderIds.slice(0, first)];
  const orders = await persist(site, "look at the orders", (deps) =>
    Promise.all(sequence.map((orderId) => deps.orders.load(orderId))),
  );
  const isIt = (refund: { readonly providerRefundId: string | null }) =>
    refund.providerRefundId === providerRefundId;
  const waiting = orders?.find(({ order }) => unassignedRefunds(order).some(isIt));
  if (!orders || !waiting) return;
  const left = orders.map(({ order }) => ({
    orderId: order.orderId,
    amountPence: refundablePence(order, intentId),
  }));
  const shares = divide(amountPence, left);
  const act = actOf(site, author);
  const assigned = await persist(site, "assign a refund", (deps) =>
    assignRefund(deps, waiting.order.orderId, { providerRefundId, shares }, act),
  );
  if (!assigned) return;
  for (const share of shares)
    site.acknowledge.order(share.orderId, "assigned refund", ({ refunds }) =>
      refunds.some((refund) => isIt(refund) && refund.amountPence === share.amountPence),
    );
}

const has = (proposals: readonly Proposal[], number: number, status?: Proposal["status"]): boolean =>
  proposals.some((each) => each.proposal === number && (status === undefined || each.status === status));

/**
 * By bank transfer, what could not go back to the card: the next automatic try comes later than any seed lives. Above the
 * limit, a second person decides.
 */
export async function transferWhatIsStuck(site: Site, orderId: string): Promise<void> {
  const loaded = await persist(site, "look at the order", (deps) => deps.orders.load(orderId));
  if (!loaded) return;
  const { order } = loaded;
  for (const { intentId } of order.payments) {
    const last = order.refunds.findLast((refund) => refund.intentId === intentId);
    const left = refundablePence(order, intentId);
    if (last?.status !== "failed" || left === 0) continue;
    const author = "user_bob";
    const act = actOf(site, author);
    site.wishes.add(orderId);
    const transfer = {
      intentId,
      amountPence: order.phase === "Cancelled" ? left : Math.min(left, last.amountPence),
      approvalAbovePence: refundLimitPence,
      reference: order.vault.contact === null ? "" : `transfer ${site.newId()}`,
    };
    const recorded = await persist(site, "record a transfer", (deps) =>
      recordBankTransfer(deps, orderId, transfer, act),
    );
    const proposal = recorded && proposedBy(author, recorded);
    if (proposal !== undefined) await approveTogether(site, orderId, proposal, author);
  }
}
