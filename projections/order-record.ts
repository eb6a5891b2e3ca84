import type { Recorded } from "../domain/decider.ts";
import { type OrderEvent, orderEventSchema, orderEventSchemas } from "../domain/order/events.ts";
import { evolve } from "../domain/order/evolve.ts";
import { absent, exists, type Order } from "../domain/order/state.ts";
import { eventReader } from "./runner/projection.ts";

/** Folded by every read model of orders: the domain's own state, so that no rule is repeated. */
export type OrderRecord = {
  readonly order: Order;
  /** When the last event was decided, ISO 8601 in UTC. */
  readonly updatedAt: string;
};

export const readOrderEvent = eventReader(orderEventSchemas, orderEventSchema);

/** The order after an event.@throws ImpossibleHistory */
export function evolveRecord(
  record: OrderRecord | undefined,
  event: OrderEvent,
  recorded: Recorded,
): OrderRecord {
  const order = evolve(record?.order ?? absent, event, recorded);
  if (!exists(order)) throw new Error(`There is no order after ${event.type}.`);
  return { order, updatedAt: recorded.at };
}

/** Price of the order in pence: the variant's total, or the quoted total before there is one. */
export const totalPenceOf = ({ variant, quotedTotalPence }: Order): number =>
  variant?.totalPence ?? quotedTotalPence;
