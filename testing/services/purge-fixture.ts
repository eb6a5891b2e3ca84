import type { DataClass } from "../../domain/order/vocabulary.ts";
import type { OrderDependencies } from "../../services/orders/dependencies.ts";
import type { OnBehalf, OrderResult } from "../../services/orders/orders.ts";
import { endPurge, type PurgeOutcome, startPurge } from "../domain/purge-fixture.ts";

/**
 * Records on an order that a class was purged under the applicable rule, or that the purge failed. Does not touch the
 * vault.
 */
export async function recordPurge(
  { orders, newId }: Pick<OrderDependencies, "orders" | "newId">,
  orderId: string,
  dataClass: DataClass,
  by: OnBehalf,
  outcome?: PurgeOutcome,
): Promise<OrderResult> {
  const { order } = await orders.load(orderId);
  const started = order.purges[dataClass].open
    ? { order }
    : await orders.execute({ orderId, commandId: newId(), by, command: startPurge(order, dataClass) });
  const command = endPurge(started.order, dataClass, outcome);
  return orders.execute({ orderId, commandId: newId(), by, command });
}
