import { Refused } from "../../domain/decider.ts";
import type { Order } from "../../domain/order/state.ts";
import type { LoadedOrder, Orders } from "../orders/orders.ts";

/** The order as it stands, undefined when the log has none of this id. */
export const orderIfKnown = async (orders: Orders, orderId: string): Promise<Order | undefined> =>
  (await loadedIfKnown(orders, orderId))?.order;

/** The same with what it came from. */
export async function loadedIfKnown(orders: Orders, orderId: string): Promise<LoadedOrder | undefined> {
  try {
    return await orders.load(orderId);
  } catch (error) {
    if (error instanceof Refused && error.code === "unknown-order") return undefined;
    throw error;
  }
}
