import { nameOfFault } from "../../infra/following/follower-faults.ts";
import type { Client, Pool } from "../../infra/postgres/pool.ts";
import type { Log } from "../../infra/process/log.ts";

/** Any number will do, as long as every process uses the same: two that create a schema at once would fail, and none may make what another drops. */
const schemaLock = 7_306_550;

/** Keeps all others from making or dropping tables of read models until the transaction ends. */
export async function lockSchemas(client: Client): Promise<void> {
  await client.query("select pg_advisory_xact_lock($1)", [schemaLock]);
}

/** Which version of which read model. */
export type VersionKey = { readonly name: string; readonly version: number };

export type VersionUsesParts = {
  readonly pool: Pool;
  readonly newId: () => string;
  readonly log?: Log;
  /** How often it is said anew (10 s). */
  readonly everyMs?: number;
  /** After so long without a word a process counts as gone (60 s). */
  readonly lastsMs?: number;
};

/** What a process says of the versions it was built with. */
export type VersionUses = {
  /** Says it, and goes on saying so. To be called before the tables are made: whoever drops looks here first. */
  begin(): Promise<void>;
  /** Takes it back. */
  end(): Promise<void>;
};

/** Lets others know which versions this process folds or reads. */
export function createVersionUses(parts: VersionUsesParts, versions: readonly VersionKey[]): VersionUses {
  const { pool, newId, log, everyMs = 10_000, lastsMs = 60_000 } = parts;
  const process = newId();
  let timer: NodeJS.Timeout | undefined;

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
      // What processes left that were killed; long past, so that none is in two minds about it.
      await pool.query("delete from read_model_uses where until < clock_timestamp() - interval '1 day'");
      await say();
      timer = setInterval(() => {
        say().catch((error: unknown) =>
          log?.warn({ code: nameOfFault(error) }, "the use of the read models could not be noted"),
        );
      }, everyMs);
      timer.unref();
    },
    async end() {
      clearInterval(timer);
      // Failing to take it back only keeps the versions until it has run out.
      await pool
        .query("delete from read_model_uses where process = $1", [process])
        .catch((error: unknown) =>
          log?.warn({ code: nameOfFault(error) }, "the use of the read models could not be taken back"),
        );
    },
  };
}

/** Whether any process that lives folds or reads a version. */
export async function isInUse(client: Client | Pool, { name, version }: VersionKey): Promise<boolean> {
  const { rows } = await client.query<{ used: boolean }>(
    `select exists (select from followers where name = $1 and version = $2 and lease_until >= clock_timestamp())
         or exists (select from read_model_uses where name = $1 and version = $2 and until >= clock_timestamp()) as used`,
    [name, version],
  );
  return rows[0]?.used ?? false;
}
