/** Most orders that are paid for together: a browser holds no more. */
export const mostOrders = 10;

/** What an order has of a payment, or of a sum that went back, in pence. */
export type Share = { readonly orderId: string; readonly amountPence: number };

export const totalOf = (shares: readonly Share[]): number =>
  shares.reduce((total, { amountPence }) => total + amountPence, 0);

/**
 * Divides a sum: each order gets its share, one after the other, for as long as there is something left; what is left
 * in the end goes to the last. So nothing of a wrong amount is lost: an order with another sum than its share gives it
 * back. Orders that get nothing are left out.
 */
export function divide(amountPence: number, shares: readonly Share[]): Share[] {
  let leftPence = amountPence;
  return shares
    .map(({ orderId, amountPence: most }, nth) => {
      const isLast = nth === shares.length - 1;
      const ownPence = isLast ? leftPence : Math.min(most, leftPence);
      leftPence -= ownPence;
      return { orderId, amountPence: ownPence };
    })
    .filter((share) => share.amountPence > 0);
}
