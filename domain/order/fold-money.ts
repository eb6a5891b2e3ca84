import type { OrderEventData } from "./events.ts";
import type { Folds } from "./fold.ts";
import { forget, owe } from "./fold-mails.ts";
import { isUnpaid, type Phase } from "./phases.ts";
import type { Order, Refund } from "./state.ts";

function withRefund(order: Order, refund: Omit<Refund, "reason"> & { reason?: Refund["reason"] }): Order {
  const earlier = order.refunds.find(({ refundId }) => refundId === refund.refundId);
  const now: Refund = { ...refund, reason: refund.reason ?? earlier?.reason ?? null };
  const refunds = earlier
    ? order.refunds.map((other) => (other.refundId === now.refundId ? now : other))
    : [...order.refunds, now];
  return { ...order, refunds };
}

const refundOf = ({ refundId, intentId, amountPence }: OrderEventData<"RefundIssued">, at: string) => ({
  refundId,
  intentId,
  amountPence,
  at,
});

/** An application that reached the GRO before it was paid for is not sent again. */
function phaseOncePaid({ dispatchedAt, submission }: Order): Phase {
  if (dispatchedAt !== null) return "Dispatched";
  return submission === null ? "Paid" : "Submitted";
}

/** Payments and refunds. Sums are derived from these lists and kept nowhere: see money.ts. */
export const moneyFolds: Folds<
  | "PaymentRequested"
  | "PaymentFailed"
  | "PaymentConfirmed"
  | "PaymentReceivedUnexpectedly"
  | "RefundRequested"
  | "RefundIssued"
  | "RefundFailed"
> = {
  PaymentRequested: (order, { intentId, amountPence, attempt }) => ({
    ...order,
    phase: "AwaitingPayment",
    intents: { count: Math.max(order.intents.count, attempt), open: { intentId, amountPence, attempt } },
  }),
  PaymentFailed: (order, _, { at, eventId }) =>
    isUnpaid(order.phase)
      ? { ...order, mails: owe(forget(order.mails, "paymentFailed"), "paymentFailed", eventId, at) }
      : order,
  PaymentConfirmed: (order, payment, { at }) => ({
    ...order,
    phase: phaseOncePaid(order),
    intents: { ...order.intents, open: null },
    payments: [...order.payments, { ...payment, unexpected: false, at }],
    paidAt: at,
    mails: forget(order.mails, "paymentFailed"),
  }),
  PaymentReceivedUnexpectedly: (order, payment, { at }) => ({
    ...order,
    payments: [...order.payments, { ...payment, unexpected: true, at }],
  }),
  RefundRequested: (order, data, { at }) =>
    withRefund(order, { ...refundOf(data, at), reason: data.reason, status: "pending" }),
  RefundIssued: (order, data, { at, eventId }) => ({
    ...withRefund(order, { ...refundOf(data, at), status: "issued" }),
    mails: owe(order.mails, "refunded", eventId, at),
  }),
  RefundFailed: (order, data, { at }) => withRefund(order, { ...refundOf(data, at), status: "failed" }),
};
