import { inTransaction, type Pool } from "../infra/postgres/pool.ts";
import { schemaOf } from "./projection.ts";

/** What became of the versions before the current one. */
export type Dropped = { readonly dropped: readonly number[]; readonly stillFollowed: readonly number[] };

/**
 * Drops the tables and checkpoints of a projection's older versions. One that a process still folds is left alone: that
 * process reads it too.
 */
export async function dropOldVersions(
  pool: Pool,
  { name, version }: { name: string; version: number },
): Promise<Dropped> {
  const { rows } = await pool.query<{ version: number }>(
    "select version from followers where name = $1 and version < $2 order by version",
    [name, version],
  );
  const dropped: number[] = [];
  const stillFollowed: number[] = [];
  for (const old of rows) {
    const gone = await dropVersion(pool, name, old.version);
    (gone ? dropped : stillFollowed).push(old.version);
  }
  return { dropped, stillFollowed };
}

async function dropVersion(pool: Pool, name: string, version: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `delete from followers where name = $1 and version = $2
         and (lease_until is null or lease_until < clock_timestamp())`,
      [name, version],
    );
    if (rowCount !== 1) return false;
    await client.query(`drop schema if exists ${schemaOf({ name, version })} cascade`);
    return true;
  });
}
