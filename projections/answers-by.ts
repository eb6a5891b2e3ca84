import type { Pool } from "../infra/postgres/pool.ts";
import { schemaOf, type Table } from "./runner/projection.ts";
import { packingBy } from "./runner/table-writer.ts";
import { coalesce } from "./shared-answers.ts";

type Answering = {
  readonly name: string;
  readonly version: number;
  readonly table: Pick<Table<never>, "name" | "dictionary">;
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
  const { unpack } = packingBy(projection.table.dictionary);
  return coalesce(async (keys) => {
    const { rows } = await pool.query<{ found: string; answer: Answer | Buffer }>({
      name: statement,
      text: `select ${column} as found, answer from ${table} where ${column} = any($1)`,
      values: [keys],
    });
    return new Map(rows.map(({ found, answer }) => [found, unpack(answer)]));
  });
}
