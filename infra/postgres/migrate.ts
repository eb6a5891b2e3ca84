import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runner } from "node-pg-migrate";
import pg from "pg";
import { OperatorFault } from "../process/operator-error.ts";

const directory = join(import.meta.dirname, "migrations");
const table = "migrations";

/** Any number will do, as long as every process uses the same. */
const migrationLock = 7_306_521;

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * Brings a database to the newest schema. Safe to call from several processes at once: they queue for a lock, where the
 * library's own would make the second one fail.
 * @throws OperatorFault when a newer version of the product has been here
 */
export async function migrate(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => undefined); // The query on it fails and says why.
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await refuseNewer(client);
    await runner({
      dbClient: client,
      dir: directory,
      direction: "up",
      migrationsTable: table,
      checkOrder: true,
      singleTransaction: true,
      noLock: true,
      logger: silent,
    });
  } finally {
    await client.end();
  }
}

/** How a database's schema stands to this code: what the next start applies to it, and what only newer code knows. */
export type SchemaStanding = { readonly pending: readonly string[]; readonly unknown: readonly string[] };

/** Reads it, and changes nothing. */
export async function schemaStanding(client: Pick<pg.Client, "query">): Promise<SchemaStanding> {
  const known = readdirSync(directory)
    .map((file) => file.replace(/\.sql$/, ""))
    .sort();
  const made = await client.query("select 1 where to_regclass($1) is not null", [`public.${table}`]);
  if (made.rowCount === 0) return { pending: known, unknown: [] };
  const { rows } = await client.query<{ name: string }>(`select name from ${table} order by name`);
  const applied = rows.map(({ name }) => name);
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** Why code may not work on a schema that newer code made. */
export const newerSchema = (name: string): string =>
  `The database was brought to a schema that this version does not know (${name}): start the newer version, or restore a backup from before it.`;

async function refuseNewer(client: pg.Client): Promise<void> {
  const [newer] = (await schemaStanding(client)).unknown;
  if (newer !== undefined) throw new OperatorFault(newerSchema(newer));
}
