import type { Order } from "../../../domain/order/state.ts";
import { pick } from "../../../services/operations/seed/seeded-random.ts";
import { takePaymentNotice } from "../../../services/orders/payments/payment-webhook.ts";
import { recordDisputeOutcome } from "../../../services/orders/staff/proposals.ts";
import { refundLimitPence } from "../platform/product.ts";
import { approveTogether, giveBack, proposedBy, transferWhatIsStuck } from "./refunds.ts";
import { afterTrouble, chance, notify, persist, type Site, waits } from "./site.ts";
import { actOf } from "./staff.ts";

// A cardholder asks their bank to take a payment back, and the bank decides.

const outcomes = ["won", "lost", "warningClosed"] as const;

/** Of one order, or of several that it paid for. Staff may be asked for money as well. They transfer in the end what the card could not take meanwhile. */
export async function disputePayment(
  site: Site,
  [orderId = "", ...others]: readonly string[],
  intentId: string,
): Promise<void> {
  await (chance(site, 0.5) ? waits(site, 0, 10_000) : waits(site, 10_000, 200_000));
  const disputeId = `du_${site.newId()}`;
  if (!(await site.bank.dispute(disputeId, intentId))) return;
  site.tell(() => `bank: ${disputeId} of ${intentId}`);
  notifyOf(site, disputeId);
  if (chance(site, 0.4)) site.aside(giveBack(site, orderId, intentId));
  await waits(site, 5_000, 200_000);
  const outcome = pick(site.random, outcomes);
  const isTold = chance(site, 0.7);
  site.bank.decide(disputeId, outcome, isTold);
  site.tell(() => `bank: ${disputeId} ${outcome}${isTold ? "" : ", and the provider does not say so"}`);
  if (isTold) notifyOf(site, disputeId);
  await afterTrouble(site);
  for (const each of [orderId, ...others]) {
    if (!isTold) await recordOutcome(site, each, disputeId, outcome);
    await waits(site, 20_000, 30_000);
    await transferWhatIsStuck(site, each);
  }
}

function notifyOf(site: Site, disputeId: string): void {
  const notice = { eventId: site.newId(), kind: "dispute", disputeId } as const;
  notify(site, "stripe", (deps, by) => takePaymentNotice(deps, notice, by));
}

/** Staff have it from the bank's letter. Above the limit, a second person decides. */
async function recordOutcome(
  site: Site,
  orderId: string,
  disputeId: string,
  outcome: (typeof outcomes)[number],
): Promise<void> {
  const author = "user_ann";
  const act = actOf(site, author);
  const known = { disputeId, outcome, approvalAbovePence: refundLimitPence };
  const recorded = await persist(site, "record the outcome", (deps) =>
    recordDisputeOutcome(deps, orderId, known, act),
  );
  if (!recorded) return;
  const proposal = proposedBy(author, recorded);
  const isClosed = ({ disputes }: Order) =>
    disputes.some((each) => each.disputeId === disputeId && each.outcome);
  if (isClosed(recorded.order)) site.acknowledge.order(orderId, "outcome of a dispute", isClosed);
  else if (proposal !== undefined) await approveTogether(site, orderId, proposal, author);
}
