import { type Client, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { schemaOf } from "./projection.ts";
import { isInUse, lockSchemas, type VersionKey } from "./version-uses.ts";

type Dropped = { readonly dropped: readonly number[]; readonly stillUsed: readonly number[] };

/**
 * Drops the tables and checkpoints of a projection's older versions, and leftovers of interrupted rebuilds. Keeps those
 * that a process still folds or reads.
 */
export async function dropOldVersions(pool: Pool, current: VersionKey): Promise<Dropped> {
  const dropped: number[] = [];
  const stillUsed: number[] = [];
  for (const version of await olderVersions(pool, current)) {
    const gone = await dropUnused(pool, { name: current.name, version });
    (gone ? dropped : stillUsed).push(version);
  }
  return { dropped, stillUsed };
}

/** The older versions that `dropOldVersions` would drop now. */
export async function unusedVersions(pool: Pool, current: VersionKey): Promise<readonly number[]> {
  const unused: number[] = [];
  for (const version of await olderVersions(pool, current)) {
    if (!(await isInUse(pool, { name: current.name, version }))) unused.push(version);
  }
  return unused;
}

/** By their checkpoints and by their tables: a version that was read but never folded has no checkpoint. */
async function olderVersions(pool: Pool, { name, version }: VersionKey): Promise<number[]> {
  const prefix = schemaOf({ name, version: 0 }).replace(/0$/, "");
  const { rows } = await pool.query<{ version: number }>(
    `select version from followers where name = $1 and version < $2
     union
     select found[1]::integer from pg_namespace, regexp_match(nspname, $3) as found where found[1]::integer < $2
     order by version`,
    [name, version, `^${prefix}(\\d{1,9})(_rebuild)?$`],
  );
  return rows.map((row) => row.version);
}

async function dropUnused(pool: Pool, key: VersionKey): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await lockSchemas(client);
    if (await isInUse(client, key)) return false;
    await dropVersion(client, key);
    return true;
  });
}

/** Drops one version, even if in use: its tables, its checkpoint, and leftovers of an interrupted rebuild. */
export async function dropVersion(client: Client, key: VersionKey): Promise<void> {
  const { name, version } = key;
  for (const table of ["followers", "read_model_uses"])
    await client.query(`delete from ${table} where name = $1 and version = $2`, [name, version]);
  await client.query(`drop schema if exists ${schemaOf(key)}, ${schemaOf(key)}_rebuild cascade`);
}
