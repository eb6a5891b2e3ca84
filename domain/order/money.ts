import { refundIdOf, refundNumber } from "./provider-keys.ts";
import type { Order } from "./state.ts";

/** Sums of an order in integer pence, derived from its payments and refunds each time, so they cannot drift. */

/** What one intent took, or all of them. */
export const capturedPence = (order: Order, intentId?: string): number =>
  sum(order.payments.filter((payment) => intentId === undefined || payment.intentId === intentId));

/** What went back, from one intent or from all. */
export const refundedPence = (order: Order, intentId?: string): number =>
  refundsPence(order, "issued", intentId);

/** What is on its way back, from one intent or from all. */
export const pendingRefundPence = (order: Order, intentId?: string): number =>
  refundsPence(order, "pending", intentId);

/** What may still be asked back of one intent: captured minus refunded minus pending, never below 0. */
export const refundablePence = (order: Order, intentId: string): number =>
  Math.max(
    0,
    capturedPence(order, intentId) - refundedPence(order, intentId) - pendingRefundPence(order, intentId),
  );

/** The number after the highest that a refund of this order has, also one that the provider named first. */
export const nextRefundNumber = ({ refunds }: Order): number =>
  Math.max(0, ...refunds.map(({ refundId }) => refundNumber(refundId))) + 1;

/** The id of the refund that is asked for next. */
export const nextRefundId = (order: Order): string => refundIdOf(order.orderId, nextRefundNumber(order));

const refundsPence = (order: Order, status: "issued" | "pending", intentId?: string): number =>
  sum(
    order.refunds.filter(
      (refund) => refund.status === status && (intentId === undefined || refund.intentId === intentId),
    ),
  );

const sum = (amounts: readonly { readonly amountPence: number }[]): number =>
  amounts.reduce((total, { amountPence }) => total + amountPence, 0);
