import { workQueues } from "../../domain/order/staff/work-queues.ts";
import type { Figures } from "../../projections/figures.ts";
import type { OrderQueries } from "../../projections/order-lookup.ts";

const noFigures: Figures = {
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
