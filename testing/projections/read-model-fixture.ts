import { workQueues } from "../../domain/order/staff/work-queues.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import type { OrderQueries } from "../../projections/orders/order-queries.ts";
import { type Projection, schemaOf } from "../../projections/runner/projection.ts";
import type { tablesOf } from "../../projections/runner/read-model-tables.ts";
import { type FoldedRow, TableWriter } from "../../projections/runner/table-writer.ts";

/** Delivers in batches of random sizes, each three times, and some once more after later ones. */
export async function deliverRepeatedly(
  pool: Pool,
  tables: ReturnType<typeof tablesOf>,
  events: readonly StoredEvent[],
  random: () => number,
): Promise<void> {
  for (let start = 0; start < events.length; ) {
    const end = start + 1 + Math.floor(random() * 40);
    for (const from of [start, Math.max(0, start - Math.floor(random() * 60)), start])
      await inTransaction(pool, (client) => tables.apply(client, events.slice(from, end)));
    start = end;
  }
}

/** All rows of a read model, byte for byte, ordered by key. */
export async function storedRowsOf<State>(pool: Pool, projection: Projection<State>): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select row_to_json(it)::text as line from ${schemaOf(projection)}.${projection.table.name} it order by key`,
  );
  return rows.map((row) => row.line);
}

/** Every row's key, revision and folded state, ordered by key. */
export async function foldedRowsOf<State>(
  pool: Pool,
  projection: Projection<State>,
): Promise<FoldedRow<State>[]> {
  const { table } = projection;
  const schema = schemaOf(projection);
  const { rows } = await pool.query<{ key: string }>(`select key from ${schema}.${table.name}`);
  const keys = rows.map(({ key }) => key);
  const found = await inTransaction(pool, (client) =>
    new TableWriter<State>(schema, table).read(client, keys),
  );
  return found.sort((one, other) => (one.key < other.key ? -1 : 1));
}

/** Read models without orders. */
export const noOrders: OrderQueries = {
  getOrder: async () => undefined,
  lookup: async () => undefined,
  listOrders: async () => ({ orders: [], next: null, previous: null }),
  async *everyOrder() {},
  listedOrders: async () => [],
  duplicatesOf: async () => new Map(),
  ordersOfCheckout: async () => [],
  countQueues: async () => new Map(workQueues.map((queue) => [queue, 0])),
  figures: async () => ({
    days: [],
    all: {
      created: 0,
      paid: 0,
      payments: 0,
      submitted: 0,
      revenuePence: 0,
      groFeesPence: 0,
      refunds: 0,
      refundedPence: 0,
      lostPence: 0,
      medianSecondsToSubmission: null,
      medianSecondsToPurge: null,
      longestSecondsToPurge: null,
    },
  }),
  publicFacts: async () => ({ submittedOrders: 0, medianMinutesToSubmission: null }),
};
