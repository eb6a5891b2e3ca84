import { nameOfError } from "../../infra/following/follower-faults.ts";
import { type Client, givenUpAfter, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import type { Log } from "../../infra/process/log.ts";
import { schemaOf } from "./projection.ts";

/**
 * Arbitrary, but the same in every process: concurrent schema creation would fail, and no process may create what
 * another drops.
 */
const schemaLock = 7_306_550;

/** Blocks creating and dropping read model tables by others until the transaction ends. */
export async function lockSchemas(client: Client): Promise<void> {
  await client.query("select pg_advisory_xact_lock($1)", [schemaLock]);
}

export type VersionKey = { readonly name: string; readonly version: number };

type VersionUsesParts = {
  readonly pool: Pool;
  readonly newId: () => string;
  readonly log?: Log;
  /** How often the registration is renewed (10 s). */
  readonly everyMs?: number;
  /** A process silent for this long counts as gone (60 s). */
  readonly lastsMs?: number;
};

/** Registration of the versions this process was built with. */
type VersionUses = {
  /** Registers and keeps renewing. Call before the tables are created: a drop checks the registrations first. */
  begin(): Promise<void>;
  end(): Promise<void>;
};

/** Registers which versions this process folds or reads. */
export function createVersionUses(parts: VersionUsesParts, versions: readonly VersionKey[]): VersionUses {
  const { pool, newId, log, everyMs = 10_000, lastsMs = 60_000 } = parts;
  const process = newId();
  let timer: NodeJS.Timeout | undefined;
  let renewal: Promise<void> | undefined;

  async function say(): Promise<void> {
    const text = `insert into read_model_uses (name, version, process, until)
       select name, version, $3, clock_timestamp() + $4 * interval '1 millisecond'
       from unnest($1::text[], $2::integer[]) as used (name, version)
       on conflict (name, version, process) do update set until = excluded.until`;
    const keys = [versions.map(({ name }) => name), versions.map(({ version }) => version)];
    // After two silent connections the registration still lasts.
    await pool.query(givenUpAfter(lastsMs / 4, text, [...keys, process, lastsMs]));
  }

  return {
    async begin() {
      // Leftovers of killed processes, old enough that none can still be alive.
      await pool.query("delete from read_model_uses where until < clock_timestamp() - interval '1 day'");
      await say();
      timer = setInterval(() => {
        // One at a time: `end` could not wait for those that the database was slow to answer.
        renewal ??= say()
          .catch((error: unknown) =>
            log?.warn({ code: nameOfError(error) }, "read model versions could not be registered"),
          )
          .finally(() => {
            renewal = undefined;
          });
      }, everyMs);
      timer.unref();
    },
    async end() {
      clearInterval(timer);
      // One under way would register the process again.
      await renewal;
      // If this fails, the versions are only kept until the registration expires.
      await pool
        .query("delete from read_model_uses where process = $1", [process])
        .catch((error: unknown) =>
          log?.warn({ code: nameOfError(error) }, "read model versions could not be unregistered"),
        );
    },
  };
}

/** Whether any live process folds or reads a version. */
async function isInUse(client: Client | Pool, { name, version }: VersionKey): Promise<boolean> {
  const { rows } = await client.query<{ used: boolean }>(
    `select exists (select from follower_checkpoints where name = $1 and version = $2 and lease_until >= clock_timestamp())
         or exists (select from read_model_uses where name = $1 and version = $2 and until >= clock_timestamp()) as used`,
    [name, version],
  );
  return rows[0]?.used ?? false;
}

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
