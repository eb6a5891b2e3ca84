import { nameOfError } from "../../infra/following/follower-faults.ts";
import type { Client, Pool } from "../../infra/postgres/pool.ts";
import type { Log } from "../../infra/process/log.ts";

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
  let renewal: Promise<void> = Promise.resolve();

  async function say(): Promise<void> {
    await pool.query(
      `insert into read_model_uses (name, version, process, until)
       select name, version, $3, clock_timestamp() + $4 * interval '1 millisecond'
       from unnest($1::text[], $2::integer[]) as used (name, version)
       on conflict (name, version, process) do update set until = excluded.until`,
      [versions.map(({ name }) => name), versions.map(({ version }) => version), process, lastsMs],
    );
  }

  return {
    async begin() {
      // Leftovers of killed processes, old enough that none can still be alive.
      await pool.query("delete from read_model_uses where until < clock_timestamp() - interval '1 day'");
      await say();
      timer = setInterval(() => {
        renewal = say().catch((error: unknown) =>
          log?.warn({ code: nameOfError(error) }, "read model versions could not be registered"),
        );
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
export async function isInUse(client: Client | Pool, { name, version }: VersionKey): Promise<boolean> {
  const { rows } = await client.query<{ used: boolean }>(
    `select exists (select from follower_checkpoints where name = $1 and version = $2 and lease_until >= clock_timestamp())
         or exists (select from read_model_uses where name = $1 and version = $2 and until >= clock_timestamp()) as used`,
    [name, version],
  );
  return rows[0]?.used ?? false;
}
