/**
 * The keys by which providers recognise a repeat. Each is made of the order's id and a number, so a repeat has the same
 * key.
 */

/**
 * At the payment provider, for an intent, numbered by attempt. What a checkout still has to pay may change between two
 * requests for the same attempt, when one of its orders is cancelled.
 */
export const intentKey = (
  payer: { readonly orderId: string } | { readonly checkoutId: string },
  attempt: number,
  amountPence: number,
): string =>
  "orderId" in payer
    ? `order-${payer.orderId}-intent-${attempt}`
    : `checkout-${payer.checkoutId}-intent-${attempt}-${amountPence}`;

/** At the automation service, for an order's submission, numbered by attempt. */
export const submissionKeyOf = (orderId: string, attempt: number): string =>
  `order-${orderId}-submission-${attempt}`;

/** At the payment provider, for the nth refund of an order; also the refund's id here. */
export const refundIdOf = (orderId: string, n: number): string => `${refundIdPrefix(orderId)}${n}`;

export const refundIdPrefix = (orderId: string): string => `order-${orderId}-refund-`;

/** The number of a refund within its order. */
export const refundNumber = (refundId: string): number =>
  Number(refundId.slice(refundId.lastIndexOf("-") + 1));

/** The order and attempt that a submission key names, or undefined when it is no such key. */
export function parseSubmissionKey(key: string): { orderId: string; attempt: number } | undefined {
  const [, orderId, attempt] = /^order-([0-9a-f-]{36})-submission-(\d{1,4})$/.exec(key) ?? [];
  return orderId && attempt ? { orderId, attempt: Number(attempt) } : undefined;
}
