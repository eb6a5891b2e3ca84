import { z } from "zod";
import { wish } from "../speed/load/order.ts";

/** How a customer pays for one order, or for several at once. */
export type Bill = {
  /** Undefined for one order alone. */
  readonly checkoutId: string | undefined;
  readonly intentPath: string;
  /** The amount is in pounds. */
  readonly intentBody: { readonly amount: number; readonly orderId?: string };
  readonly reportPath: string;
};

/** Every other pair of customers orders two certificates at once. */
export const certificatesOf = (nth: number): number => (Math.floor(nth / 2) % 2 === 1 ? 2 : 1);

const pounds = wish.totalPence / 100;
const opened = z.object({ id: z.string() });

/** @param open posts the request for a checkout, where there are several orders */
export async function billFor(
  orderIds: readonly string[],
  open: (path: string, body: { readonly orderIds: readonly string[] }) => Promise<unknown>,
): Promise<Bill> {
  const [orderId = ""] = orderIds;
  if (orderIds.length === 1)
    return {
      checkoutId: undefined,
      intentPath: "/api/create-payment-intent",
      intentBody: { amount: pounds, orderId },
      reportPath: `/api/orders/${orderId}/status`,
    };
  const { id: checkoutId } = opened.parse(await open("/api/checkouts", { orderIds }));
  return {
    checkoutId,
    intentPath: `/api/checkouts/${checkoutId}/payment-intent`,
    intentBody: { amount: orderIds.length * pounds },
    reportPath: `/api/checkouts/${checkoutId}/status`,
  };
}
