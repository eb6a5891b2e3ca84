import { randomUUID } from "node:crypto";
import type { EventStore, StoredEvent } from "../../infra/event-store/event-store.ts";
import { createPool, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { ordersProjection } from "../../projections/orders/orders.ts";
import { accessLog } from "../../projections/registers/access-log.ts";
import { purgeRegister } from "../../projections/registers/purge-register.ts";
import { type Projection, schemaOf } from "../../projections/runner/projection.ts";
import { tablesOf } from "../../projections/runner/read-model-tables.ts";
import { rebuild } from "../../projections/runner/rebuild-projection.ts";
import { createMemoryEventStore, createMemoryLog } from "../../testing/event-store/memory-event-store.ts";
import { happenIn, randomOf, randomOrders } from "../../testing/projections/random-orders-fixture.ts";
import { deliverRepeatedly, storedRowsOf } from "../../testing/projections/read-model-fixture.ts";

type RebuildReport = {
  readonly events: number;
  readonly positions: number;
  /** Rows compared, in all read models at all positions. */
  readonly rows: number;
  readonly findings: readonly string[];
};

type RebuildOptions = { readonly orders: number; readonly positions: number; readonly seed: number };

/**
 * Random orders, each event delivered three times, in batches that begin anew before their end. At random positions each
 * read model is rebuilt beside from the log so far: both must have the same rows, byte for byte.
 */
export async function proveRebuilds(
  connectionString: string,
  { orders, positions, seed }: RebuildOptions,
): Promise<RebuildReport> {
  await using closing = new AsyncDisposableStack();
  const pool = closing.adopt(createPool(connectionString), (open) => open.end());
  const random = randomOf(seed);
  const log = createMemoryLog();
  await happenIn(createMemoryEventStore({ log }), randomOrders(seed, orders, 25));
  const readModels = [
    await compared(pool, ordersProjection),
    await compared(pool, purgeRegister),
    await compared(pool, accessLog),
  ];
  const cuts = Array.from({ length: positions }, () => 1 + Math.floor(random() * log.events.length));
  const findings: string[] = [];
  let [from, rows] = [0, 0];
  for (const to of cuts.sort((one, other) => one - other)) {
    const soFar = createMemoryEventStore({ log: { ...log, events: log.events.slice(0, to) } });
    for (const { name, deliver, differs } of readModels) {
      await deliver(log.events.slice(from, to), random);
      const difference = await differs(soFar);
      rows += difference.rows;
      if (difference.isThere) findings.push(`${name} is not as rebuilt at position ${to}.`);
    }
    from = to;
  }
  const soFar = createMemoryEventStore({ log: { ...log, events: log.events.slice(0, from) } });
  for (const { name, spoil, differs } of readModels) {
    const isSpoilt = await spoil();
    if (isSpoilt && !(await differs(soFar)).isThere)
      findings.push(`Control: a row that ${name} lacks was not noticed.`);
  }
  return { events: log.events.length, positions, rows, findings };
}

type Difference = { readonly isThere: boolean; readonly rows: number };

type Compared = {
  readonly name: string;
  deliver(events: readonly StoredEvent[], random: () => number): Promise<void>;
  /** Whether the live rows are others than those rebuilt from this log. */
  differs(log: EventStore): Promise<Difference>;
  /** Takes one of the live rows away. @returns whether there was one */
  spoil(): Promise<boolean>;
};

/** Higher than any of the product's. */
const [liveVersion, rebuiltVersion] = [9_001, 9_002];

/** A read model in two versions, one following and one rebuilt each time. */
async function compared<State>(pool: Pool, projection: Projection<State>): Promise<Compared> {
  const live = { ...projection, version: liveVersion };
  const rebuilt = { ...projection, version: rebuiltVersion };
  const tables = tablesOf(live);
  await inTransaction(pool, tables.create);
  return {
    name: projection.name,
    deliver: (events, random) => deliverRepeatedly(pool, tables, events, random),
    differs: async (store) => {
      await rebuild(rebuilt, { pool, store, newId: randomUUID });
      const [rows, again] = [await storedRowsOf(pool, live), await storedRowsOf(pool, rebuilt)];
      return { isThere: rows.join("\n") !== again.join("\n"), rows: rows.length };
    },
    spoil: async () => {
      const table = `${schemaOf(live)}.${live.table.name}`;
      const { rowCount } = await pool.query(
        `delete from ${table} where key = (select key from ${table} order by key limit 1)`,
      );
      return rowCount === 1;
    },
  };
}
