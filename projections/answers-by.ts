import type { Pool } from "../infra/postgres/pool.ts";
import { coalesce } from "./runner/coalesced-reads.ts";
import { schemaOf, type Table } from "./runner/projection.ts";

type Answering = {
  readonly name: string;
  readonly version: number;
  readonly table: Pick<Table<never>, "name">;
};

/**
 * Finds a read model's `answer` by a unique column; undefined when there is none. Concurrent reads are sent as one
 * query.
 * @param statement names the prepared statement
 */
export function answersBy<Answer>(
  pool: Pool,
  projection: Answering,
  statement: string,
  column: string,
): (key: string) => Promise<Answer | undefined> {
  const table = `${schemaOf(projection)}.${projection.table.name}`;
  return coalesce(async (keys) => {
    const { rows } = await pool.query<{ found: string; answer: Answer }>({
      name: statement,
      text: `select ${column} as found, answer from ${table} where ${column} = any($1)`,
      values: [keys],
    });
    return new Map(rows.map(({ found, answer }) => [found, answer]));
  });
}
