import type { OrderEventData } from "./events.ts";
import type { Folds } from "./fold.ts";
import { forget, owe } from "./fold-mails.ts";
import { isUnpaid, type Phase } from "./phases.ts";
import type { Order, Refund } from "./state.ts";

type Change = Omit<Refund, "reason" | "proposal"> & Partial<Pick<Refund, "reason" | "proposal">>;

function withRefund(order: Order, refund: Change): Order {
  const earlier = order.refunds.find(({ refundId }) => refundId === refund.refundId);
  const reason = refund.reason ?? earlier?.reason ?? null;
  const proposal = refund.proposal ?? earlier?.proposal ?? null;
  const now: Refund = { ...refund, reason, proposal };
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

const settleProposal = (order: Order, number: number | null, status: "approved" | "declined"): Order => ({
  ...order,
  proposals: order.proposals.map((other) => (other.proposal === number ? { ...other, status } : other)),
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
  | "RefundProposed"
  | "RefundDeclined"
  | "RefundRequested"
  | "RefundIssued"
  | "RefundFailed"
  | "DisputeOpened"
  | "DisputeClosed"
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
  RefundProposed: (order, data, { at }) => ({
    ...order,
    proposals: [...order.proposals, { ...data, status: "open", at }],
  }),
  RefundDeclined: (order, { proposal }) => settleProposal(order, proposal, "declined"),
  RefundRequested: (order, data, { at }) => {
    const { reason, proposal } = data;
    const asked = withRefund(order, { ...refundOf(data, at), reason, proposal, status: "pending" });
    return settleProposal(asked, proposal, "approved");
  },
  RefundIssued: (order, data, { at, eventId }) => ({
    ...withRefund(order, { ...refundOf(data, at), status: "issued" }),
    mails: owe(order.mails, "refunded", eventId, at),
  }),
  RefundFailed: (order, data, { at }) => withRefund(order, { ...refundOf(data, at), status: "failed" }),
  DisputeOpened: (order, data, { at }) => ({
    ...order,
    disputes: [...order.disputes, { ...data, outcome: null, openedAt: at }],
  }),
  DisputeClosed: (order, { disputeId, outcome }) => ({
    ...order,
    disputes: order.disputes.map((dispute) =>
      dispute.disputeId === disputeId ? { ...dispute, outcome } : dispute,
    ),
  }),
};
