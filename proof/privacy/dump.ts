import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "../../infra/postgres/pool.ts";
import { ordersProjection } from "../../projections/orders/orders.ts";
import { schemaOf } from "../../projections/runner/projection.ts";
import { packingBy } from "../../projections/runner/table-writer.ts";
import { ticketList } from "../../projections/tickets/ticket-list.ts";
import { ticketLookup } from "../../projections/tickets/ticket-lookup.ts";

const packings = new Map(
  [ordersProjection, ticketList, ticketLookup].map((projection) => [
    schemaOf(projection),
    packingBy(projection.table.dictionary),
  ]),
);

/**
 * Writes every row of every table, as a dump does: what Postgres stores compressed comes out as it was given, and what
 * read models pack is unpacked.
 */
export async function dumpTables(pool: Pool, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { rows: tables } = await pool.query<{ schema: string; name: string }>(
    `select schemaname as schema, tablename as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  for (const { schema, name } of tables) {
    const { rows } = await pool.query<Record<string, unknown>>(`select * from "${schema}"."${name}"`);
    const { unpack } = packings.get(schema) ?? { unpack: hexOf };
    const lines = rows.map((row) => JSON.stringify(Object.values(row).map((value) => unpack(value))));
    writeFileSync(join(folder, `${schema}.${name}.jsonl`), lines.join("\n"));
  }
}

const hexOf = (value: unknown): unknown => (Buffer.isBuffer(value) ? value.toString("hex") : value);
