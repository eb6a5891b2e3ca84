import { divide, type Share, totalOf } from "../../../domain/checkout/shares.ts";
import { refundIdPrefix } from "../../../domain/order/payment/provider-keys.ts";
import { isRefundStuck, owedRefunds } from "../../../domain/order/payment/refund-tasks.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { Intent } from "../../../services/providers/stripe/payments.ts";
import { refundLimitPence } from "../platform/product.ts";
import type { Evidence } from "./evidence.ts";

// Money as the provider and the bank count it, beside what the log says.

export async function brokenMoneyRules(order: Order, evidence: Evidence): Promise<string[]> {
  return [
    ...uncountedCharges(order, evidence),
    ...countedTwice(order, evidence),
    ...decisionsOfBank(order, evidence),
    ...decisionsOfStaff(order, evidence),
    ...(await refundsByHand(order, evidence)),
    ...(await sums(order, evidence)),
  ];
}

function uncountedCharges({ orderId, payments }: Order, { bank, shares }: Evidence): string[] {
  const known = new Set(payments.map(({ intentId }) => intentId));
  return [...bank.intents.values()]
    .filter(({ id, status }) => status === "succeeded" && !known.has(id))
    .flatMap((intent) => divide(intent.amountPence, paidBy(intent, shares)))
    .filter((share) => share.orderId === orderId)
    .map(({ amountPence }) => `charged ${amountPence}, and the log does not say so`);
}

/** What all orders have of a payment is what was charged. */
const countedTwice = ({ payments }: Order, { bank, received }: Evidence): string[] =>
  payments.flatMap(({ intentId }) => {
    const [charged, counted] = [
      bank.intents.get(intentId)?.amountPence,
      totalOf(received.get(intentId) ?? []),
    ];
    return charged === counted ? [] : [`charged ${charged}, and the log counts ${counted}`];
  });

const paidBy = ({ id, orderId, amountPence }: Intent, shares: Evidence["shares"]): readonly Share[] =>
  orderId === undefined ? (shares.get(id) ?? []) : [{ orderId, amountPence }];

function decisionsOfBank(order: Order, { bank, disputed }: Evidence): string[] {
  return disputesOf(order, bank).flatMap(({ id, amountPence, outcome = "open" }) => {
    const known = order.disputes.find(({ disputeId }) => disputeId === id);
    const inAll = totalOf(disputed.get(id) ?? []);
    // An order that had nothing left of the payment has no part in it.
    if (!known && inAll === amountPence) return [];
    const isSame = inAll === amountPence && (known?.outcome ?? "open") === outcome;
    return isSame ? [] : [`a dispute is ${outcome}, and ${known?.outcome ?? "open"} in the log`];
  });
}

const disputesOf = ({ payments }: Order, { disputes }: Evidence["bank"]) =>
  [...disputes.values()].filter((dispute) => payments.some(({ intentId }) => intentId === dispute.intentId));

function decisionsOfStaff({ orderId, refunds, proposals }: Order, { wishes }: Evidence): string[] {
  const found: string[] = [];
  const alone = refunds.filter(({ reason, proposal }) => reason === "staffDecision" && proposal === null);
  const asked = alone.length + proposals.filter(({ kind }) => kind !== "disputeOutcome").length;
  if (asked > wishes.of(orderId))
    found.push(`staff gave back ${asked} times instead of ${wishes.of(orderId)}`);
  const unapproved = sum(alone.filter(({ status }) => status !== "failed"));
  if (unapproved > refundLimitPence) found.push(`${unapproved} given back without a second person`);
  return found;
}

/** What all orders have of a refund by hand is what was refunded. */
async function refundsByHand({ payments }: Order, { bank, refundedByHand }: Evidence): Promise<string[]> {
  const refunds = await Promise.all(payments.map(({ intentId }) => bank.refundsOf(intentId)));
  return refunds.flat().flatMap(({ id, refundId, amountPence }) => {
    const counted = totalOf(refundedByHand.get(id) ?? []);
    const isCounted = refundId !== undefined || counted === amountPence;
    return isCounted ? [] : [`${amountPence} refunded by hand, and the log counts ${counted}`];
  });
}

/** A refund that failed is asked for again after an hour, later than a seed runs; after the third failure, by staff. */
const isAskedLater = (order: Order, now: Date): boolean =>
  owedRefunds(order).some((task) => Date.parse(task.dueAt) > now.getTime()) ||
  order.payments.some((payment) => isRefundStuck(order, payment));

async function sums(order: Order, { bank, now }: Evidence): Promise<string[]> {
  const { payments, phase } = order;
  const found: string[] = [];
  const paid = sum(payments);
  const ofAll = (await Promise.all(payments.map(({ intentId }) => bank.refundsOf(intentId)))).flat();
  const own = refundIdPrefix(order.orderId);
  // Those with an id that names no order at all count for each: nobody wanted them.
  const made = ofAll.filter(
    ({ refundId }) => refundId?.startsWith(own) || (refundId && !refundId.startsWith("order-")),
  );
  for (const { refundId, amountPence } of made) {
    const known = order.refunds.find((refund) => refund.refundId === refundId);
    if (known?.amountPence !== amountPence || known.status !== "issued")
      found.push(`refunded ${amountPence}, and the log does not say so`);
  }
  const issued = order.refunds.filter(({ status }) => status === "issued");
  const ownByHand = issued.filter(({ refundId, way }) => refundId === null && way === "card");
  const sent = sum(made) + sum(ownByHand) + sum(issued.filter(({ way }) => way === "bankTransfer"));
  const lostAtBank = new Set(
    disputesOf(order, bank)
      .filter(({ outcome }) => outcome === "lost")
      .map(({ id }) => id),
  );
  const lost = order.disputes.filter(({ disputeId }) => lostAtBank.has(disputeId));
  const returned = sent + sum(lost);
  if (returned > paid) found.push(`gave back ${returned} of ${paid}`);
  const isOver = phase === "Cancelled" || phase === "Failed";
  if (isOver && paid > 0 && returned !== paid && !isAskedLater(order, now))
    found.push(`over, with ${returned} given back of ${paid}`);
  const unexpected = new Set(payments.filter((each) => each.unexpected).map(({ intentId }) => intentId));
  const takenBack = sum(lost.filter(({ intentId }) => unexpected.has(intentId)));
  const given = sum(issued.filter(({ reason }) => reason === "staffDecision")) + sum(ownByHand);
  const kept = paid - sent - takenBack + given;
  const price = order.variant?.totalPence ?? 0;
  if (order.submissions > 0 && !isOver && kept !== price)
    found.push(`submitted for ${kept} instead of ${price}`);
  // One whose confirmation came back, or could not leave after another mail had, waits for days for another address.
  const { state, returnedAt } = order.confirmation;
  const waits = phase === "Paid" && (returnedAt !== undefined || state === "undeliverable");
  if (["Paid", "Confirmed", "Submitting"].includes(phase) && !waits)
    found.push("paid, and neither submitted nor refunded");
  return found;
}

const sum = (amounts: readonly { readonly amountPence: number }[]): number =>
  amounts.reduce((total, { amountPence }) => total + amountPence, 0);
