import type { Pool } from "../infra/postgres/pool.ts";
import { schemaOf, type Table } from "./runner/projection.ts";
import { coalesce } from "./shared-answers.ts";

type Answering<Row, Answer> = {
  readonly projection: {
    readonly name: string;
    readonly version: number;
    readonly table: Pick<Table<never>, "name">;
  };
  readonly columns: readonly (keyof Row & string)[];
  readonly read: (row: Row) => Answer;
};

/**
 * Finds a read model's answer by a unique column, one of those it is read from; undefined when there is none.
 * Concurrent reads are sent as one query.
 * @param statement names the prepared statement
 */
export function answersBy<Row extends Readonly<Record<string, unknown>>, Answer>(
  pool: Pool,
  { projection, columns, read }: Answering<Row, Answer>,
  statement: string,
  column: keyof Row & string,
): (key: string) => Promise<Answer | undefined> {
  const table = `${schemaOf(projection)}.${projection.table.name}`;
  return coalesce(async (keys) => {
    const { rows } = await pool.query<Row>({
      name: statement,
      text: `select ${columns.join(", ")} from ${table} where ${column} = any($1)`,
      values: [keys],
    });
    return new Map(rows.map((row) => [String(row[column]), read(row)]));
  });
}
