import { parseOrderNumber } from "../../domain/numbers.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { answersBy } from "../answers-by.ts";
import { type CheckoutQueries, checkoutQueries } from "./checkout-orders.ts";
import { type DuplicateQueries, duplicateQueries } from "./duplicates.ts";
import { type FigureQueries, figureQueries } from "./figures.ts";
import { type OrderListQueries, orderListQueries } from "./order-list-queries.ts";
import { answerColumns, type OrderLookup, readAnswer } from "./order-lookup.ts";
import { idsAmong, ordersProjection } from "./orders.ts";

type OrderLookupQueries = {
  /** Undefined for an unknown order. */
  getOrder(orderId: string): Promise<OrderLookup | undefined>;
  /** By the order number, however it was typed. */
  lookup(orderNumber: string): Promise<OrderLookup | undefined>;
};

function orderLookupQueries(pool: Pool): OrderLookupQueries {
  const answers = { projection: ordersProjection, columns: answerColumns, read: readAnswer };
  const byId = answersBy(pool, answers, "order-by-id", "key");
  const byNumber = answersBy(pool, answers, "order-by-number", "order_number");
  return {
    async getOrder(typed) {
      const [orderId] = idsAmong([typed]);
      return orderId === undefined ? undefined : byId(orderId);
    },
    async lookup(typed) {
      const orderNumber = parseOrderNumber(typed);
      return orderNumber === undefined ? undefined : byNumber(orderNumber);
    },
  };
}

export type OrderQueries = OrderLookupQueries &
  OrderListQueries &
  DuplicateQueries &
  CheckoutQueries &
  FigureQueries;

/** Queries on the read model of this build's version. */
export function createOrderQueries(pool: Pool): OrderQueries {
  return {
    ...orderLookupQueries(pool),
    ...orderListQueries(pool),
    ...duplicateQueries(pool),
    ...checkoutQueries(pool),
    ...figureQueries(pool),
  };
}
