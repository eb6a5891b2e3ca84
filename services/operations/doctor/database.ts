import type { Config } from "../../../infra/config/config.ts";
import { bondOf, installationSecrets, mismatch } from "../../../infra/key-ring/installation-secrets.ts";
import { addressOfOwned } from "../../../infra/postgres/embedded.ts";
import { migrationRights, newerSchema, schemaStanding } from "../../../infra/postgres/migrate.ts";
import { createPool, type Pool } from "../../../infra/postgres/pool.ts";
import { reachDatabase } from "../../../infra/postgres/reach-database.ts";
import { eventRights } from "../../../infra/postgres/service-role.ts";
import {
  type Check,
  clockFinding,
  durable,
  type Finding,
  ok,
  roleFindings,
  settingsFindings,
  warning,
  wrong,
} from "./findings.ts";
import { knownSegments } from "./folders.ts";

/** A database opened read-only. */
export type OpenDatabase = { readonly pool: Pool; readonly connectionString: string };

/**
 * The installation's database, if it can be inspected now.
 * @throws OperatorError if DATABASE_URL cannot be used
 */
export async function openForLooking(
  config: Pick<Config, "DATABASE_URL" | "DATA_DIR">,
): Promise<OpenDatabase | undefined> {
  const connectionString = config.DATABASE_URL ?? (await addressOfOwned(config.DATA_DIR));
  if (connectionString === undefined) return undefined;
  if (config.DATABASE_URL !== undefined) await reachDatabase(config.DATABASE_URL, undefined, 0);
  return { pool: createPool(readOnly(connectionString), 2), connectionString };
}

function readOnly(connectionString: string): string {
  const url = new URL(connectionString);
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  return url.href;
}

export const notRunning: Finding = ok(
  "database",
  "the embedded Postgres is not running, so neither it nor the log was checked: run this again while the product is running",
);

export const databaseChecks = (
  { pool }: OpenDatabase,
  config: Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR" | "DATABASE_URL">,
  now: () => Date,
): readonly Check[] => [
  { about: "database", look: async () => [await versionOf(pool)] },
  { about: "database settings", look: async () => settingsOf(pool) },
  { about: "schema", look: async () => [await schemaOf(pool)] },
  { about: "database role", look: async () => roleFindings(config, await eventRights(pool)) },
  { about: "clock", look: async () => [await clockOf(pool, now)] },
  { about: "keys", look: async () => [await keysOf(pool, config)] },
  { about: "sealed data", look: async () => [await sealedOf(pool, config)] },
];

/** The oldest supported version: https://www.postgresql.org/support/versioning/ */
const leastVersion = 14;

async function versionOf(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query<{ number: number; words: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as words",
  );
  const { number = 0, words = "" } = rows[0] ?? {};
  return number >= leastVersion * 10_000
    ? ok("database", `answers, Postgres ${words}`)
    : wrong("database", `Postgres ${words} is no longer supported`, "upgrade it");
}

type Setting = { readonly name: string; readonly setting: string };

async function settingsOf(pool: Pool): Promise<readonly Finding[]> {
  const { rows } = await pool.query<Setting>("select name, setting from pg_settings where name = any($1)", [
    [...durable, "server_encoding"],
  ]);
  return settingsFindings(new Map(rows.map(({ name, setting }) => [name, setting])));
}

async function schemaOf(pool: Pool): Promise<Finding> {
  const { pending, unknown } = await schemaStanding(pool);
  const [newer] = unknown;
  if (newer !== undefined) return wrong("schema", newerSchema(newer));
  if (pending.length === 0) return ok("schema", "up to date");
  const { role, isAllowed } = await migrationRights(pool);
  return warning(
    "schema",
    `${pending.length} migrations are not applied yet`,
    isAllowed
      ? "the next start applies them"
      : `run npm run migrate with the owner's address in DATABASE_URL: the role ${role} may not apply them`,
  );
}

async function clockOf(pool: Pool, now: () => Date): Promise<Finding> {
  const before = now().getTime();
  const { rows } = await pool.query<{ at: Date }>("select clock_timestamp() as at");
  const between = (before + now().getTime()) / 2;
  return clockFinding(Math.abs((rows[0]?.at.getTime() ?? 0) - between));
}

async function keysOf(
  pool: Pool,
  { KEY_DIR, KEY_MIRROR_DIR }: Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR">,
): Promise<Finding> {
  const made = await pool.query("select 1 where to_regclass('public.installation') is not null");
  const { bound, given } =
    made.rowCount === 0
      ? { bound: null, given: undefined }
      : await bondOf(pool, installationSecrets(KEY_DIR, KEY_MIRROR_DIR));
  if (bound === null)
    return ok("keys", "the database is new, and will be bound to the first key folder it is started with");
  return bound === given
    ? ok("keys", "the folder that this database is bound to")
    : wrong("keys", mismatch(KEY_DIR, bound, given).message);
}

/** The segments of all records, by one probe of the index for each: an installation has millions of records. */
const segmentsNamed = `with recursive named as (
    select min(key_segment) as segment from vault_records
    union all
    select (select min(key_segment) from vault_records where key_segment > named.segment) from named
    where named.segment is not null
  ) select segment from named where segment is not null`;

const mostSegmentsNamed = 10;

/** Whether the keys of what is sealed are there: the mark alone is soon in a new, empty folder too. */
async function sealedOf(
  pool: Pool,
  { KEY_DIR, KEY_MIRROR_DIR }: Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR">,
): Promise<Finding> {
  const about = "sealed data";
  const made = await pool.query("select 1 where to_regclass('public.vault_records') is not null");
  if (made.rowCount === 0) return ok(about, "none yet");
  const { rows } = await pool.query<{ segment: string }>(segmentsNamed);
  // Afterwards: a record is stored once its key is on disk.
  const known = new Set<string>();
  for (const folder of [KEY_DIR, KEY_MIRROR_DIR])
    if (folder !== undefined) for (const name of await knownSegments(folder)) known.add(name);
  const missing = rows.map(({ segment }) => segment).filter((segment) => !known.has(segment));
  const months = await monthsWithout(pool, known);
  const found = await pool.query<{ segment: string; records: string }>(
    `select key_segment as segment, count(*) as records from vault_records
     where key_segment = any($1) and destroyed_at is null group by 1 order by 1`,
    [missing],
  );
  if (found.rows.length === 0 && months.length === 0) return ok(about, "its keys are there");
  const records = found.rows.reduce((sum, row) => sum + Number(row.records), 0).toLocaleString("en-GB");
  const segments = [...new Set([...found.rows.map(({ segment }) => segment), ...months])];
  const named = segments.slice(0, mostSegmentsNamed);
  const more = segments.length > named.length ? " and others" : "";
  const [count, unit] = [months.length, months.length === 1 ? "month" : "months"];
  const index = count > 0 ? ` and of ${count} ${unit} of the search index` : "";
  return wrong(
    about,
    `the keys of ${records} records${index} are in no key folder: segments ${named.join(", ")}${more}`,
    "mount the disk that has them; if it is lost for good, docs/privacy.md says how to declare that",
  );
}

/** The segments of months by which people are found, without their keys. */
async function monthsWithout(pool: Pool, known: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await pool.query<{ segment: string }>(
    "select key_segment as segment from index_keys where destroyed_at is null order by month",
  );
  return rows.map(({ segment }) => segment).filter((segment) => !known.has(segment));
}
