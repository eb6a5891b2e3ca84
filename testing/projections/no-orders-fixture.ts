import { workQueues } from "../../domain/order/staff/work-queues.ts";
import { noFigures } from "../../projections/figures.ts";
import type { OrderQueries } from "../../projections/order-lookup.ts";

/** Read models without orders. */
export const noOrders: OrderQueries = {
  getOrder: async () => undefined,
  lookup: async () => undefined,
  listOrders: async () => ({ orders: [], next: null, previous: null }),
  async *everyOrder() {},
  listedOrders: async () => [],
  countQueues: async () => new Map(workQueues.map((queue) => [queue, 0])),
  figures: async () => ({ days: [], all: noFigures }),
  publicFacts: async () => ({ submittedOrders: 0, medianMinutesToSubmission: null }),
};
