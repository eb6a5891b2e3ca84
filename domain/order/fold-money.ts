import type { OrderEventData } from "./events.ts";
import type { Folds } from "./fold.ts";
import { forget, owe } from "./fold-mails.ts";
import { refundIn } from "./money.ts";
import { isUnpaid, type Phase } from "./phases.ts";
import type { Order, OwedMail, Refund } from "./state.ts";

type Settled = Pick<Refund, "refundId" | "providerRefundId" | "intentId" | "amountPence" | "status" | "at">;

/** The order with what became of a refund, which it may not have heard of before. */
function withSettled(order: Order, told: Settled): Order {
  const earlier = refundIn(order, told);
  if (!earlier) return { ...order, refunds: [...order.refunds, { ...told, reason: null, proposal: null }] };
  const now: Refund = {
    ...earlier,
    ...told,
    refundId: earlier.refundId,
    providerRefundId: told.providerRefundId ?? earlier.providerRefundId,
  };
  return { ...order, refunds: order.refunds.map((other) => (other === earlier ? now : other)) };
}

const settledAs = (
  { refundId, providerRefundId, intentId, amountPence }: OrderEventData<"RefundIssued">,
  status: "issued" | "failed",
  at: string,
): Settled => ({ refundId, providerRefundId, intentId, amountPence, status, at });

/** A refund that came back is told to nobody any more. Its mail fell due the moment it was issued. */
function withoutNews({ mails }: Order, refund: Refund | undefined): Order["mails"] {
  if (refund?.status !== "issued") return mails;
  const isNews = ({ template, since }: OwedMail) => template === "refunded" && since === refund.at;
  return { ...mails, owed: mails.owed.filter((mail) => !isNews(mail)) };
}

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
    const asked: Refund = { ...data, providerRefundId: null, status: "pending", at };
    const others = order.refunds.filter(({ refundId }) => refundId !== data.refundId);
    return settleProposal({ ...order, refunds: [...others, asked] }, data.proposal, "approved");
  },
  RefundIssued: (order, data, { at, eventId }) => ({
    ...withSettled(order, settledAs(data, "issued", at)),
    mails: owe(order.mails, "refunded", eventId, at),
  }),
  RefundFailed: (order, data, { at }) => ({
    ...withSettled(order, settledAs(data, "failed", at)),
    mails: withoutNews(order, refundIn(order, data)),
  }),
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
