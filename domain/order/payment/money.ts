import type { Order, Payment, Refund, RefundByHand } from "../state.ts";
import { refundIdOf, refundNumber } from "./provider-keys.ts";

/** Sums of an order in integer pence, derived from its payments and refunds each time, so they cannot drift. */

/** The payment that was due; undefined until the order is paid for. */
export const duePayment = ({ payments }: Order): Payment | undefined =>
  payments.find(({ unexpected }) => !unexpected);

/** The sum paid through one intent, or through all. */
export const capturedPence = (order: Order, intentId?: string): number =>
  sum(order.payments.filter((payment) => intentId === undefined || payment.intentId === intentId));

/** The sum refunded, of one intent or of all. */
export const refundedPence = (order: Order, intentId?: string): number =>
  refundsPence(order, "issued", intentId);

/** The sum of pending refunds, of one intent or of all. */
export const pendingRefundPence = (order: Order, intentId?: string): number =>
  refundsPence(order, "pending", intentId);

/** What the bank took back for the cardholder after a dispute. */
export const chargedBackPence = (order: Order, intentId?: string): number =>
  sum(
    order.disputes.filter(
      (dispute) => dispute.outcome === "lost" && (intentId === undefined || dispute.intentId === intentId),
    ),
  );

/** What the customer has back, of one intent or of all: refunded, or taken back by the bank. */
export const wentBackPence = (order: Order, intentId?: string): number =>
  refundedPence(order, intentId) + chargedBackPence(order, intentId);

/** What the customer has back of one intent, or will have. */
export const returnedPence = (order: Order, intentId: string): number =>
  wentBackPence(order, intentId) + pendingRefundPence(order, intentId);

/** True when any of what was paid for the order went back or is on its way, other than a payment that was not due. */
export const hasRefund = (order: Order): boolean =>
  order.payments.some(({ unexpected, intentId }) => !unexpected && returnedPence(order, intentId) > 0);

/** What may still be refunded of one intent: captured minus returned, never below 0. */
export const refundablePence = (order: Order, intentId: string): number =>
  Math.max(0, capturedPence(order, intentId) - returnedPence(order, intentId));

/** What is left of one intent, but for refunds on their way: captured, minus what went back. */
export const keptPence = (order: Order, intentId: string): number =>
  Math.max(0, capturedPence(order, intentId) - wentBackPence(order, intentId));

/**
 * True while a certificate is paid for: the order has neither been cancelled nor failed, is not about to be cancelled, and
 * was not refunded in full.
 */
export const isPaidFor = (order: Order): boolean =>
  order.phase !== "Cancelled" &&
  order.phase !== "Failed" &&
  order.cancellationRequested === null &&
  order.payments.some(({ unexpected, intentId }) => !unexpected && refundablePence(order, intentId) > 0);

/** More went back of a payment than it took: by card and by transfer, or by us and by the bank. */
export const isOverRefunded = (order: Order, intentId: string): boolean =>
  wentBackPence(order, intentId) > capturedPence(order, intentId);

/** Bank transfers by staff, the oldest first: the nth has the number n, from 1. */
export const bankTransfers = ({ refunds }: Pick<Order, "refunds">): readonly Refund[] =>
  refunds.filter(({ way }) => way === "bankTransfer");

/**
 * What staff gave back by their own decision, without approval. A transfer that staff say came back counts: otherwise
 * one person could give the same sum away again and again.
 */
export const givenByStaffPence = ({ refunds }: Order): number =>
  sum(
    refunds.filter(
      ({ reason, proposal, status, way }) =>
        reason === "staffDecision" && proposal === null && (status !== "failed" || way === "bankTransfer"),
    ),
  );

/** True while a bank decides about a payment: until then we refund nothing, or it could be refunded twice. */
export const hasOpenDispute = ({ disputes }: Order): boolean =>
  disputes.some(({ outcome }) => outcome === null);

/** Refunds made by hand of which it is not known yet which orders of the payment have a part in them. */
export const unassignedRefunds = ({ refundsByHand = [] }: Order): readonly RefundByHand[] =>
  refundsByHand.filter(({ isAssigned }) => !isAssigned);

/** Why nothing is refunded for the time being; undefined if nothing stands in the way. */
export function refundHold(order: Order): "dispute-open" | "refund-unassigned" | undefined {
  if (hasOpenDispute(order)) return "dispute-open";
  // It may be this order's: the same sum could be refunded twice.
  return unassignedRefunds(order).length > 0 ? "refund-unassigned" : undefined;
}

/** One more than the highest number of a refund of this order, including those that the provider reported first. */
export const nextRefundNumber = ({ refunds }: Order): number =>
  Math.max(0, ...refunds.map(({ refundId }) => (refundId === null ? 0 : refundNumber(refundId)))) + 1;

export const nextRefundId = (order: Order): string => refundIdOf(order.orderId, nextRefundNumber(order));

/** A refund by its two ids. */
type RefundIds = Pick<Refund, "refundId" | "providerRefundId">;

/**
 * The refund that a report is about: the one of the provider's id, else the one of ours, unless the provider calls that
 * otherwise.
 */
export const refundIn = ({ refunds }: Order, { refundId, providerRefundId }: RefundIds): Refund | undefined =>
  refunds.find((known) => providerRefundId !== null && known.providerRefundId === providerRefundId) ??
  refunds.find(
    (known) =>
      refundId !== null &&
      known.refundId === refundId &&
      (providerRefundId === null || known.providerRefundId === null),
  );

const refundsPence = (order: Order, status: "issued" | "pending", intentId?: string): number =>
  sum(
    order.refunds.filter(
      (refund) => refund.status === status && (intentId === undefined || refund.intentId === intentId),
    ),
  );

const sum = (amounts: readonly { readonly amountPence: number }[]): number =>
  amounts.reduce((total, { amountPence }) => total + amountPence, 0);
