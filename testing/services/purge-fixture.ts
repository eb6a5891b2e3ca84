import type { DataClass } from "../../domain/order/vocabulary.ts";
import type { Desk } from "../../services/orders/dependencies.ts";
import type { OnBehalf, Told } from "../../services/orders/orders.ts";
import { endPurge, type PurgeOutcome, startPurge } from "../domain/purge-fixture.ts";

/** For tests: tells an order that a class was purged, by the rule that holds, or that it could not be. The vault is left alone. */
export async function tellPurged(
  { orders, newId }: Pick<Desk, "orders" | "newId">,
  orderId: string,
  dataClass: DataClass,
  by: OnBehalf,
  outcome?: PurgeOutcome,
): Promise<Told> {
  const { order } = await orders.load(orderId);
  const started = order.purges[dataClass].open
    ? { order }
    : await orders.tell({ orderId, commandId: newId(), by, command: startPurge(order, dataClass) });
  const command = endPurge(started.order, dataClass, outcome);
  return orders.tell({ orderId, commandId: newId(), by, command });
}
