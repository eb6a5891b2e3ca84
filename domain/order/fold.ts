import type { Recorded } from "../decider.ts";
import type { OrderEvent, OrderEventData, OrderEventType } from "./events.ts";
import type { Order } from "./state.ts";

/** How each of some types of event changes an order. Pure, and never throws. */
export type Folds<Type extends OrderEventType> = {
  readonly [T in Type]: (order: Order, data: OrderEventData<T>, recorded: Recorded) => Order;
};

/** An event of one of some types, so that its data goes with its type. */
export type EventOf<Type extends OrderEventType> = {
  [T in Type]: Extract<OrderEvent, { type: T }> & { readonly type: T; readonly data: OrderEventData<T> };
}[Type];
