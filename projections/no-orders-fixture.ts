import { workQueues } from "../domain/order/work-queues.ts";
import type { Figures } from "./figures.ts";
import type { OrderQueries } from "./order-queries.ts";

const nothing: Figures = {
  created: 0,
  paid: 0,
  submitted: 0,
  revenuePence: 0,
  groFeesPence: 0,
  refunds: 0,
  refundedPence: 0,
  medianSecondsToSubmission: null,
  medianSecondsToPurge: null,
  longestSecondsToPurge: null,
};

/** For tests: read models without a single order. */
export const noOrders: OrderQueries = {
  getOrder: async () => undefined,
  lookup: async () => undefined,
  listOrders: async () => ({ orders: [], next: null, previous: null }),
  async *everyOrder() {},
  listedOrders: async () => [],
  countQueues: async () => new Map(workQueues.map((queue) => [queue, 0])),
  figures: async () => ({ days: [], all: nothing }),
  publicFacts: async () => ({ submittedOrders: 0, medianMinutesToSubmission: null }),
};
