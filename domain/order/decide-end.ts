import type { OrderCommandData } from "./commands.ts";
import { type Decisions, forbidden } from "./decision.ts";
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

/** How an order ends. */
export const endDecisions: Decisions<"FulfilOrder" | "CancelOrder" | "FailOrder"> = {
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
};
