import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "../../infra/postgres/pool.ts";
import { ordersProjection } from "../../projections/orders/orders.ts";
import { accessLog } from "../../projections/registers/access-log.ts";
import { purgeRegister } from "../../projections/registers/purge-register.ts";
import { schemaOf } from "../../projections/runner/projection.ts";
import { packingOf } from "../../projections/runner/table-writer.ts";

const packings = new Map(
  [ordersProjection, purgeRegister, accessLog].map((projection) => [
    schemaOf(projection),
    packingOf<unknown>(projection.table),
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
    const packing = packings.get(schema);
    const lines = rows.map(({ folded, ...row }) => {
      const whole = { ...row, folded: packing ? packing.unpack({ ...row, folded }) : folded };
      return JSON.stringify(Object.values(whole).map(hexOf));
    });
    writeFileSync(join(folder, `${schema}.${name}.jsonl`), lines.join("\n"));
  }
}

const hexOf = (value: unknown): unknown => (Buffer.isBuffer(value) ? value.toString("hex") : value);
