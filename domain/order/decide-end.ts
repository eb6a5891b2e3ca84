import type { OrderCommandData } from "./commands.ts";
import { type Decisions, forbidden } from "./decision.ts";
import { nextRefundId, refundablePence } from "./money.ts";
import { isUnpaid } from "./phases.ts";
import type { Order } from "./state.ts";

/** An expiry stops where a payment came first; a cancellation for want of a confirmation, where one arrived. */
function guardReason(order: Order, { reason, closedIntentId }: OrderCommandData<"CancelOrder">): void {
  const { phase } = order;
  if (reason === "expired" && !isUnpaid(phase)) throw forbidden(order, "already-paid");
  if (reason === "unconfirmed" && phase !== "Paid") {
    throw forbidden(order, isUnpaid(phase) ? "not-paid" : "already-confirmed");
  }
  const { open } = order.intents;
  if (isUnpaid(phase) && open && open.intentId !== closedIntentId) {
    throw forbidden(order, "payment-open", { intentId: open.intentId });
  }
}

const statusOfRefund = (order: Order, refundId: string) =>
  order.refunds.find((refund) => refund.refundId === refundId)?.status;

/** How an order ends, and how money goes back. */
export const endDecisions: Decisions<
  "FulfilOrder" | "CancelOrder" | "FailOrder" | "RequestRefund" | "RecordRefund" | "RecordRefundFailure"
> = {
  FulfilOrder: ({ phase }) => (phase === "Fulfilled" ? [] : [{ type: "OrderFulfilled", data: {} }]),

  CancelOrder(order, data, { actor }) {
    if (order.phase === "Cancelled") return [];
    guardReason(order, data);
    // After a query the application is back with us, but the GRO had it: the terms allow no cancellation any more.
    if (!isUnpaid(order.phase) && order.submissions > 0) throw forbidden(order, "already-submitted");
    const cancellation = { reason: data.reason, by: actor.kind };
    if (order.phase !== "Submitting") return [{ type: "OrderCancelled", data: cancellation }];
    return order.cancellationRequested ? [] : [{ type: "CancellationRequested", data: cancellation }];
  },

  FailOrder: ({ phase }, data) => (phase === "Failed" ? [] : [{ type: "OrderFailed", data }]),

  RequestRefund(order, data) {
    const most = refundablePence(order, data.intentId);
    if (data.amountPence > most) throw forbidden(order, "above-captured", { refundablePence: most });
    return [{ type: "RefundRequested", data: { refundId: nextRefundId(order), ...data } }];
  },

  RecordRefund(order, data) {
    const refundId = data.refundId ?? nextRefundId(order);
    return statusOfRefund(order, refundId) === "issued"
      ? []
      : [{ type: "RefundIssued", data: { ...data, refundId } }];
  },

  RecordRefundFailure(order, data) {
    const refundId = data.refundId ?? nextRefundId(order);
    return statusOfRefund(order, refundId) === "failed"
      ? []
      : [{ type: "RefundFailed", data: { ...data, refundId } }];
  },
};
