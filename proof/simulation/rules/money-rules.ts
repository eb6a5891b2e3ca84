import type { Order } from "../../../domain/order/state.ts";
import { refundLimitPence } from "../platform/product.ts";
import type { Evidence } from "./evidence.ts";

// Money as the provider and the bank count it, beside what the log says.

export async function brokenMoneyRules(order: Order, evidence: Evidence): Promise<string[]> {
  return [
    ...uncountedCharges(order, evidence),
    ...decisionsOfBank(order, evidence),
    ...decisionsOfStaff(order, evidence),
    ...(await sums(order, evidence)),
  ];
}

function uncountedCharges({ orderId, payments }: Order, { bank }: Evidence): string[] {
  const known = new Set(payments.map(({ intentId }) => intentId));
  return [...bank.intents.values()]
    .filter((intent) => intent.orderId === orderId && intent.status === "succeeded" && !known.has(intent.id))
    .map(({ amountPence }) => `charged ${amountPence}, and the log does not say so`);
}

function decisionsOfBank(order: Order, { bank }: Evidence): string[] {
  return disputesOf(order, bank).flatMap(({ id, amountPence, outcome = "open" }) => {
    const known = order.disputes.find(({ disputeId }) => disputeId === id);
    const isSame = known?.amountPence === amountPence && (known.outcome ?? "open") === outcome;
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

async function sums(order: Order, { bank }: Evidence): Promise<string[]> {
  const { payments, phase } = order;
  const found: string[] = [];
  const paid = sum(payments);
  const made = (await Promise.all(payments.map(({ intentId }) => bank.refundsOf(intentId)))).flat();
  for (const { refundId, amountPence } of made) {
    const known = order.refunds.find((refund) => refund.refundId === refundId);
    if (known?.amountPence !== amountPence || known.status !== "issued")
      found.push(`refunded ${amountPence}, and the log does not say so`);
  }
  const issued = order.refunds.filter(({ status }) => status === "issued");
  const sent = sum(made) + sum(issued.filter(({ way }) => way === "bankTransfer"));
  const lost = disputesOf(order, bank).filter(({ outcome }) => outcome === "lost");
  const returned = sent + sum(lost);
  if (returned > paid) found.push(`gave back ${returned} of ${paid}`);
  const isOver = phase === "Cancelled" || phase === "Failed";
  if (isOver && paid > 0 && returned !== paid) found.push(`over, with ${returned} given back of ${paid}`);
  const unexpected = new Set(payments.filter((each) => each.unexpected).map(({ intentId }) => intentId));
  const takenBack = sum(lost.filter(({ intentId }) => unexpected.has(intentId)));
  const given = sum(issued.filter(({ reason }) => reason === "staffDecision"));
  const kept = paid - sent - takenBack + given;
  const price = order.variant?.totalPence ?? 0;
  if (order.submissions > 0 && !isOver && kept !== price)
    found.push(`submitted for ${kept} instead of ${price}`);
  if (["Paid", "Confirmed", "Submitting"].includes(phase))
    found.push("paid, and neither submitted nor refunded");
  return found;
}

const sum = (amounts: readonly { readonly amountPence: number }[]): number =>
  amounts.reduce((total, { amountPence }) => total + amountPence, 0);
