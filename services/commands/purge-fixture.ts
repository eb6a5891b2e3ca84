import type { DataClass } from "../../domain/order/vocabulary.ts";
import { endPurge, type PurgeOutcome, startPurge } from "../../testing/domain/purge-fixture.ts";
import type { Desk } from "./desk.ts";
import type { OnBehalf, Told } from "./orders.ts";

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
