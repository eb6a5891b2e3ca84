import { returnedWhenNotFoundPence } from "../pricing/fees.ts";
import type { Duty } from "./duty.ts";
import {
  capturedPence,
  chargedBackPence,
  hasOpenDispute,
  nextRefundNumber,
  refundablePence,
  refundedPence,
  returnedPence,
} from "./money.ts";
import { refundNumber } from "./provider-keys.ts";
import type { Order, Payment, Refund } from "./state.ts";
import type { RefundReason } from "./vocabulary.ts";

/** After so many failed refunds of one intent staff look into it instead of a job. */
export const mostFailedRefunds = 3;

/** True when refunds of an intent failed so often that no job tries again. */
export const needsStaff = (order: Order, intentId: string): boolean =>
  order.refunds.filter((refund) => refund.intentId === intentId && refund.status === "failed").length >=
  mostFailedRefunds;

interface Claim {
  readonly amountPence: number;
  readonly reason: RefundReason;
  readonly since: string;
}

/** What must go back of a payment without anybody choosing so; undefined when nothing must. */
function claimOn(order: Order, payment: Payment): Claim | undefined {
  if (payment.unexpected)
    return { amountPence: payment.amountPence, reason: "unexpectedPayment", since: payment.at };
  if (order.end === null) return undefined;
  const { at: since, cause, reason } = order.end;
  if (order.phase === "Cancelled") return { amountPence: payment.amountPence, reason: "cancelled", since };
  if (cause === "ours") return { amountPence: payment.amountPence, reason: "failedByUs", since };
  if (cause === "gro" && reason === "recordNotFound" && order.variant) {
    const { feePerCopy, copies } = order.variant;
    return { amountPence: returnedWhenNotFoundPence(feePerCopy, copies), reason: "recordNotFound", since };
  }
  return undefined;
}

function requestFor(order: Order, payment: Payment): Duty[] {
  const { intentId } = payment;
  const claim = claimOn(order, payment);
  if (!claim || needsStaff(order, intentId)) return [];
  const left = claim.amountPence - returnedPence(order, intentId);
  const amountPence = Math.min(left, refundablePence(order, intentId));
  if (amountPence <= 0) return [];
  // The name changes with each refund asked for, so a retry after a failure is a new job.
  const name = `request-refund-${intentId}-${nextRefundNumber(order)}`;
  return [{ kind: "requestRefund", name, dueAt: claim.since, intentId, amountPence, reason: claim.reason }];
}

/** Refunds to ask for by policy, and refunds asked for that the provider is yet to make; once no dispute is open any more. */
export const owedRefunds = (order: Order): Duty[] => (hasOpenDispute(order) ? [] : refundsDue(order));

const refundsDue = (order: Order): Duty[] => [
  ...order.payments.flatMap((payment) => requestFor(order, payment)),
  ...order.refunds.flatMap((refund) => toMake(refund)),
];

function toMake({ refundId, intentId, amountPence, status, at }: Refund): Duty[] {
  if (status !== "pending" || refundId === null) return [];
  // The id holds the order's, which is in the job's name already.
  const name = `refund-${refundNumber(refundId)}`;
  return [{ kind: "refund", name, dueAt: at, refundId, intentId, amountPence }];
}

/** True while money is on its way back, must go, or waits for a second person's word: the contact data is needed until then. */
export const awaitsRefund = (order: Order): boolean =>
  refundsDue(order).length > 0 ||
  order.proposals.some(({ status }) => status === "open") ||
  order.payments.some((payment) => {
    const claim = claimOn(order, payment);
    return (
      claim !== undefined &&
      refundedPence(order, payment.intentId) + chargedBackPence(order, payment.intentId) <
        Math.min(claim.amountPence, capturedPence(order, payment.intentId))
    );
  });
