import { addDays, addSeconds, before, later } from "../../instant.ts";
import { returnedWhenNotFoundPence } from "../../pricing/price-list.ts";
import type { Order, Payment, Refund, RefundByHand } from "../state.ts";
import type { Task } from "../tasks/task.ts";
import type { RefundReason } from "../vocabulary.ts";
import {
  capturedPence,
  chargedBackPence,
  nextRefundNumber,
  refundablePence,
  refundedPence,
  refundHold,
  returnedPence,
  unassignedRefunds,
  wentBackPence,
} from "./money.ts";
import { refundNumber } from "./provider-keys.ts";

/** Hours after which a failed refund of an intent is asked for again: the reason may pass, as a short balance does. */
const hoursUntilAskedAgain = [1, 24];

const failedRefunds = ({ refunds }: Order, intentId: string): readonly Refund[] =>
  refunds.filter((refund) => refund.intentId === intentId && refund.status === "failed");

/**
 * True when refunds of an intent failed so often that no job tries again, and once staff took over by bank transfer.
 */
function needsStaff(order: Order, intentId: string): boolean {
  const failed = failedRefunds(order, intentId);
  return failed.length > hoursUntilAskedAgain.length || failed.some(({ way }) => way === "bankTransfer");
}

/** When a claim of this moment is to be refunded: some time after each failure. */
function askAt(order: Order, intentId: string, since: string): string {
  const failed = failedRefunds(order, intentId);
  const hours = hoursUntilAskedAgain[failed.length - 1];
  if (hours === undefined) return since;
  return failed.map(({ at }) => addSeconds(at, hours * 3600)).reduce(later, since);
}

/**
 * True when money does not reach the card and no job tries again: what must go back failed too often, or the last that
 * staff chose to give back failed and nothing took its place.
 */
export function isRefundStuck(order: Order, payment: Payment): boolean {
  const { intentId } = payment;
  const refunds = order.refunds.filter((refund) => refund.intentId === intentId);
  if (refunds.some(({ status }) => status === "pending") || refundablePence(order, intentId) === 0)
    return false;
  if (isOutstanding(order, payment)) return needsStaff(order, intentId);
  const last = refunds.reduce<Refund | null>(
    (one, other) => (one && before(other.at, one.at) ? one : other),
    null,
  );
  return last?.status === "failed";
}

interface Claim {
  readonly amountPence: number;
  readonly reason: RefundReason;
  readonly since: string;
}

/** What must be refunded of a payment by policy; undefined if nothing. */
function claimOn(order: Order, payment: Payment): Claim | undefined {
  if (payment.unexpected)
    return { amountPence: payment.amountPence, reason: "unexpectedPayment", since: payment.at };
  if (order.end === null) return undefined;
  const { at: since, cause, reason, isUnsubmitted = false } = order.end;
  if (order.phase === "Cancelled") return { amountPence: payment.amountPence, reason: "cancelled", since };
  if (cause === "ours") return { amountPence: payment.amountPence, reason: "failedByUs", since };
  // Until then the terms let the customer cancel for all of it.
  if (isUnsubmitted) return { amountPence: payment.amountPence, reason: "notSubmitted", since };
  if (cause === "gro" && reason === "recordNotFound" && order.variant) {
    const { feePerCopy, copies } = order.variant;
    return { amountPence: returnedWhenNotFoundPence(feePerCopy, copies), reason: "recordNotFound", since };
  }
  return undefined;
}

/** What goes back of a payment by policy; `refundPence` of it from the end of the order on, the rest before. */
export interface ReturnAtEnd {
  readonly reason: RefundReason;
  readonly claimedPence: number;
  readonly refundPence: number;
}

export const returnsAtEnd = (order: Order): readonly ReturnAtEnd[] =>
  order.payments.flatMap((payment) => {
    const { end, refunds } = order;
    const claim = claimOn(order, payment);
    if (!claim || end === null) return [];
    const { intentId } = payment;
    const atEnd = { ...order, refunds: refunds.filter(({ at }) => before(at, end.at)) };
    const claimedPence = Math.min(claim.amountPence, capturedPence(order, intentId));
    const refundPence = Math.max(0, claimedPence - wentBackPence(atEnd, intentId));
    return [{ reason: claim.reason, claimedPence, refundPence }];
  });

function requestFor(order: Order, payment: Payment): Task[] {
  const { intentId } = payment;
  const claim = claimOn(order, payment);
  if (!claim || needsStaff(order, intentId)) return [];
  const left = claim.amountPence - returnedPence(order, intentId);
  const amountPence = Math.min(left, refundablePence(order, intentId));
  if (amountPence <= 0) return [];
  // The name changes with each refund asked for, so a retry after a failure is a new job.
  const name = `request-refund-${intentId}-${nextRefundNumber(order)}`;
  const dueAt = askAt(order, intentId, claim.since);
  return [{ kind: "requestRefund", name, dueAt, intentId, amountPence, reason: claim.reason }];
}

/** What staff assign to no order in this time is divided: refunds that wait for it go on. */
const daysToAssign = 3;

/** Refunds to ask for by policy, and refunds asked for that the provider is yet to make, unless they have to wait. */
export const owedRefunds = (order: Order): Task[] => [
  ...(refundHold(order) === undefined ? refundsDue(order) : []),
  ...unassignedRefunds(order).map(toDivide),
];

const toDivide = ({ at, isAssigned: _, ...refund }: RefundByHand): Task => ({
  kind: "divideReturn",
  name: `divide-${refund.providerRefundId}`,
  dueAt: addDays(at, daysToAssign),
  ...refund,
});

const refundsDue = (order: Order): Task[] => [
  ...order.payments.flatMap((payment) => requestFor(order, payment)),
  ...order.refunds.flatMap((refund) => toMake(refund)),
];

function toMake({ refundId, intentId, amountPence, status, at }: Refund): Task[] {
  if (status !== "pending" || refundId === null) return [];
  // The id holds the order's, which is in the job's name already.
  const name = `refund-${refundNumber(refundId)}`;
  return [{ kind: "refund", name, dueAt: at, refundId, intentId, amountPence }];
}

/**
 * True while money is on its way back, is still to be refunded, or waits for a decision by staff: until then the contact
 * data is needed.
 */
export const awaitsRefund = (order: Order): boolean =>
  refundsDue(order).length > 0 ||
  unassignedRefunds(order).length > 0 ||
  order.proposals.some(({ status }) => status === "open") ||
  order.payments.some((payment) => isOutstanding(order, payment));

/** True while the customer is still to get back what must be refunded of a payment. */
function isOutstanding(order: Order, payment: Payment): boolean {
  const { intentId } = payment;
  const claim = claimOn(order, payment);
  if (!claim) return false;
  const returned = refundedPence(order, intentId) + chargedBackPence(order, intentId);
  return returned < Math.min(claim.amountPence, capturedPence(order, intentId));
}
