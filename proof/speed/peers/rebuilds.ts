import { randomUUID } from "node:crypto";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { ordersProjection, ordersTable } from "../../../projections/orders/orders.ts";
import { rebuild } from "../../../projections/runner/rebuild-projection.ts";
import { seededLog } from "../rebuild/seeded-log.ts";
import { rebuildInSql } from "../rebuild/set-based.ts";
import { loadEmmett } from "./emmett.ts";
import { emmettOrdersTable, emmettProjection } from "./emmett-orders.ts";
import { inTurn, type Round } from "./rounds.ts";

/** Emmett's own are 100 and 50 ms: its rebuild would mostly wait. */
const pulling = { batchSize: 1_000, pullingFrequencyInMs: 0 };

/** The log once more, in Emmett's table. */
async function copyLog(pool: Pool): Promise<void> {
  await pool.query(`insert into emt_messages (stream_position, transaction_id, stream_id, partition,
      message_schema_version, message_id, message_type, message_data, message_metadata)
    select revision + 1, pg_current_xact_id(), stream, 'emt:default', '1', id, type, data::jsonb, metadata::jsonb
    from events order by position`);
  await pool.query("vacuum (analyze) emt_messages");
}

type Rebuilds = {
  /** The folder that has it, if it is to be measured. */
  readonly emmett: string | undefined;
  readonly orders: number;
  readonly rounds: number;
  readonly seed: number;
};

/**
 * Rebuilds of the orders' read model from the same log: the product's whole one, Emmett's row per order, and SQL alone.
 * @throws OperatorError when one does not have each order afterwards
 */
export async function compareRebuilds(
  connectionString: string,
  { emmett, orders, rounds, seed }: Rebuilds,
): Promise<Map<string, Round[]>> {
  await using closing = new AsyncDisposableStack();
  const { pool, store, events } = await seededLog(closing, connectionString, { orders, seed });
  const contestants = [
    {
      name: "The product",
      table: ordersTable,
      rebuild: () => rebuild(ordersProjection, { pool, store, newId: randomUUID }),
    },
    ...(emmett === undefined ? [] : [await emmettRebuild(closing, pool, connectionString, emmett)]),
    { name: "SQL alone", table: "set_based.orders", rebuild: () => rebuildInSql(pool) },
  ];
  // Awaited, because the pool is closed on return.
  return await inTurn(
    contestants.map(({ name, table, rebuild: run }) => ({
      name,
      run: async () => {
        const began = performance.now();
        await run();
        const perSecond = (events * 1000) / (performance.now() - began);
        const { rows } = await pool.query<{ n: number }>(`select count(*)::integer as n from ${table}`);
        if (rows[0]?.n !== orders) throw new OperatorError(`${name} has ${rows[0]?.n} of ${orders} orders.`);
        return { perSecond };
      },
    })),
    rounds,
  );
}

async function emmettRebuild(
  closing: AsyncDisposableStack,
  pool: Pool,
  connectionString: string,
  folder: string,
) {
  const emmett = loadEmmett(folder);
  const projection = emmettProjection(emmett);
  const store = emmett.getPostgreSQLEventStore(connectionString, {
    projections: [{ type: "inline", projection }],
    connectionOptions: { pool },
  });
  await store.schema.migrate();
  await copyLog(pool);
  return {
    name: "Emmett",
    table: emmettOrdersTable,
    rebuild: async () => {
      // Its rebuild goes on from the checkpoint of the one before.
      await pool.query(`truncate ${emmettOrdersTable}, emt_processors`);
      const consumer = emmett.rebuildPostgreSQLProjections({
        connectionString,
        projections: [projection],
        pulling,
      });
      closing.defer(() => consumer.close());
      await consumer.start();
    },
  };
}
