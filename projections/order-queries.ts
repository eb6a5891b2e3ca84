import type { Pool } from "../infra/postgres/pool.ts";
import { type FigureQueries, figureQueries } from "./figures.ts";
import { type OrderListQueries, orderListQueries } from "./order-list/order-list-queries.ts";
import { type OrderLookupQueries, orderLookupQueries } from "./order-lookup.ts";

/** All that can be asked of the read models of orders. */
export type OrderQueries = OrderLookupQueries & OrderListQueries & FigureQueries;

/** The queries, on the versions of the read models that this code was built with. */
export function createOrderQueries(pool: Pool): OrderQueries {
  return { ...orderLookupQueries(pool), ...orderListQueries(pool), ...figureQueries(pool) };
}
