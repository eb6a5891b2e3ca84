import { inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import type { FoldedRow } from "../../projections/runner/fold-rows.ts";
import { type Projection, schemaOf } from "../../projections/runner/projection.ts";
import { TableWriter } from "../../projections/runner/table-writer.ts";

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
