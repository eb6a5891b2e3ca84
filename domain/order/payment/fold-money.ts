import { forget, owe } from "../../mailbox.ts";
import type { OrderEventData } from "../events.ts";
import { isUnpaid, type Phase } from "../phases.ts";
import type { Dispute, Folds, Order, Refund, RefundByHand } from "../state.ts";
import { bankTransfers, refundIn } from "./money.ts";

type RefundReport = Pick<
  Refund,
  "refundId" | "providerRefundId" | "intentId" | "amountPence" | "status" | "at"
>;

/** The order with a refund's outcome, even if the refund was unknown to it. */
function withReport(order: Order, report: RefundReport): Order {
  const earlier = refundIn(order, report);
  if (!earlier) {
    const made: Refund = { ...report, reason: null, proposal: null, way: "card" };
    return { ...order, refunds: [...order.refunds, made] };
  }
  const now: Refund = {
    ...earlier,
    ...report,
    refundId: earlier.refundId,
    providerRefundId: report.providerRefundId ?? earlier.providerRefundId,
  };
  return { ...order, refunds: order.refunds.map((other) => (other === earlier ? now : other)) };
}

const reportAs = (
  { refundId, providerRefundId, intentId, amountPence }: OrderEventData<"RefundIssued">,
  status: "issued" | "failed",
  at: string,
): RefundReport => ({ refundId, providerRefundId, intentId, amountPence, status, at });

/** The order once it is known whose a refund is that was made by hand at the provider. */
function withAssigned(order: Order, { providerRefundId }: Pick<Refund, "providerRefundId">): Order {
  const { refundsByHand } = order;
  if (!refundsByHand) return order;
  const assigned = (refund: RefundByHand): RefundByHand =>
    refund.providerRefundId === providerRefundId ? { ...refund, isAssigned: true } : refund;
  return { ...order, refundsByHand: refundsByHand.map(assigned) };
}

/** Drops the mail about a refund that came back. It fell due the moment the refund was issued. */
function withoutNews({ mails }: Order, refund: Refund | undefined): Order["mails"] {
  if (refund?.status !== "issued") return mails;
  const isNews = ({ template, since }: Order["mails"]["owed"][number]) =>
    template === "refunded" && since === refund.at;
  return { ...mails, owed: mails.owed.filter((mail) => !isNews(mail)) };
}

const resolveProposal = (order: Order, number: number | null, status: "approved" | "declined"): Order => ({
  ...order,
  proposals: order.proposals.map((other) => (other.proposal === number ? { ...other, status } : other)),
});

/** The order with the reference of a transfer among the records that events name. */
const withReference = (order: Order, ref: string | null): Order =>
  ref === null || order.vault.bankTransfers.includes(ref)
    ? order
    : { ...order, vault: { ...order.vault, bankTransfers: [...order.vault.bankTransfers, ref] } };

const withDispute = (order: Order, disputeId: string, now: Pick<Dispute, "outcome" | "toldBy">): Order => ({
  ...order,
  disputes: order.disputes.map((dispute) =>
    dispute.disputeId === disputeId ? { ...dispute, ...now } : dispute,
  ),
});

/** Once a dispute is closed there is nothing left to propose about it. */
const withoutProposalsAbout = (order: Order, disputeId: string): Order => ({
  ...order,
  proposals: order.proposals.map((other) =>
    other.kind === "disputeOutcome" && other.disputeId === disputeId && other.status === "open"
      ? { ...other, status: "lapsed" }
      : other,
  ),
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
  | "UnassignedRefundFound"
  | "RefundAssignedToOthers"
  | "BankTransferProposed"
  | "BankTransferRecorded"
  | "BankTransferReturned"
  | "DisputeOpened"
  | "DisputeOutcomeProposed"
  | "DisputeOutcomeDeclined"
  | "DisputeClosed"
  | "DisputeReopened"
> = {
  PaymentRequested: ({ checkoutId: _, ...order }, { intentId, amountPence, attempt, checkoutId }) => ({
    ...order,
    phase: "AwaitingPayment",
    intents: { count: Math.max(order.intents.count, attempt), open: { intentId, amountPence, attempt } },
    ...(checkoutId !== null && { checkoutId }),
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
    proposals: [...order.proposals, { kind: "refund", ...data, status: "open", at }],
  }),
  RefundDeclined: (order, { proposal }) => resolveProposal(order, proposal, "declined"),
  RefundRequested: (order, data, { at }) => {
    const asked: Refund = { ...data, providerRefundId: null, status: "pending", way: "card", at };
    const others = order.refunds.filter(({ refundId }) => refundId !== data.refundId);
    return resolveProposal({ ...order, refunds: [...others, asked] }, data.proposal, "approved");
  },
  RefundIssued: (order, data, { at, eventId }) => ({
    ...withReport(withAssigned(order, data), reportAs(data, "issued", at)),
    mails: owe(order.mails, "refunded", eventId, at),
  }),
  RefundFailed: (order, data, { at }) => ({
    ...withReport(withAssigned(order, data), reportAs(data, "failed", at)),
    mails: withoutNews(order, refundIn(order, data)),
  }),
  UnassignedRefundFound: (order, data, { at }) => ({
    ...order,
    refundsByHand: [...(order.refundsByHand ?? []), { ...data, isAssigned: false, at }],
  }),
  RefundAssignedToOthers: withAssigned,
  BankTransferProposed: (order, data, { at }) => ({
    ...withReference(order, data.referenceRef),
    proposals: [...order.proposals, { kind: "bankTransfer", ...data, status: "open", at }],
  }),
  BankTransferRecorded: (order, { referenceRef, ...data }, { at, eventId }) => {
    const ids = { refundId: null, providerRefundId: null };
    const made: Refund = {
      ...ids,
      ...data,
      reason: "staffDecision",
      status: "issued",
      way: "bankTransfer",
      at,
    };
    const refunded = { ...withReference(order, referenceRef), refunds: [...order.refunds, made] };
    return {
      ...resolveProposal(refunded, data.proposal, "approved"),
      mails: owe(order.mails, "refunded", eventId, at),
    };
  },
  BankTransferReturned: (order, { transfer }, { at }) => {
    const made = bankTransfers(order)[transfer - 1];
    const returned = (refund: Refund): Refund =>
      refund === made ? { ...refund, status: "failed", at } : refund;
    return { ...order, refunds: order.refunds.map(returned), mails: withoutNews(order, made) };
  },
  DisputeOpened: (order, data, { at }) => ({
    ...order,
    disputes: [...order.disputes, { ...data, outcome: null, toldBy: null, openedAt: at }],
  }),
  DisputeOutcomeProposed: (order, data, { at }) => ({
    ...order,
    proposals: [...order.proposals, { kind: "disputeOutcome", ...data, status: "open", at }],
  }),
  DisputeOutcomeDeclined: (order, { proposal }) => resolveProposal(order, proposal, "declined"),
  DisputeClosed: (order, { disputeId, outcome, toldBy, proposal }) => {
    const closed = withDispute(order, disputeId, { outcome, toldBy });
    return withoutProposalsAbout(resolveProposal(closed, proposal, "approved"), disputeId);
  },
  DisputeReopened: (order, { disputeId }) => withDispute(order, disputeId, { outcome: null, toldBy: null }),
};
