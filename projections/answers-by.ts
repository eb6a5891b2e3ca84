import type { Pool } from "../infra/postgres/pool.ts";
import { schemaOf, type Table } from "./runner/projection.ts";
import { coalesce } from "./shared-answers.ts";

type Answering<Stored, Answer> = {
  readonly projection: {
    readonly name: string;
    readonly version: number;
    readonly table: Pick<Table<never>, "name">;
  };
  readonly read: (stored: Stored) => Answer;
};

/**
 * Finds a read model's `answer` by a unique column; undefined when there is none. Concurrent reads are sent as one
 * query.
 * @param statement names the prepared statement
 */
export function answersBy<Stored, Answer>(
  pool: Pool,
  { projection, read }: Answering<Stored, Answer>,
  statement: string,
  column: string,
): (key: string) => Promise<Answer | undefined> {
  const table = `${schemaOf(projection)}.${projection.table.name}`;
  return coalesce(async (keys) => {
    const { rows } = await pool.query<{ found: string; answer: Stored }>({
      name: statement,
      text: `select ${column} as found, answer from ${table} where ${column} = any($1)`,
      values: [keys],
    });
    return new Map(rows.map(({ found, answer }) => [found, read(answer)]));
  });
}
