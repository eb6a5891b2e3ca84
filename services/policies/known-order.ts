import { Refused } from "../../domain/decider.ts";
import type { Order } from "../../domain/order/state.ts";
import type { Orders } from "../commands/orders.ts";

/** The order as it stands, undefined when the log has none of this id. */
export async function orderIfKnown(orders: Orders, orderId: string): Promise<Order | undefined> {
  try {
    return (await orders.load(orderId)).order;
  } catch (error) {
    if (error instanceof Refused && error.code === "unknown-order") return undefined;
    throw error;
  }
}
