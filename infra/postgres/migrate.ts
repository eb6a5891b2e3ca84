import { readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { OperatorError } from "../process/operator-error.ts";
import { type LockPatience, patientWithLocks } from "./lock-patience.ts";
import { createPool } from "./pool.ts";

const directory = join(import.meta.dirname, "migrations");
const table = "migrations";

/** Arbitrary, but the same in every process. */
const migrationLock = 7_306_521;

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * Migrates a database to the newest schema. Concurrent calls queue for a lock; the library's own lock would fail the
 * second one.
 * @throws OperatorError when a newer version migrated it, the connected role may not, or other sessions do not give way
 */
export async function migrate(connectionString: string, patience: Partial<LockPatience> = {}): Promise<void> {
  const client = new pg.Client({ connectionString, application_name: "certificates migrate" });
  client.on("error", () => undefined); // Reported by the failing query.
  const asker = createPool(connectionString, 1);
  await client.connect();
  try {
    await patientWithLocks(
      asker,
      async (waitBriefly) => {
        await waitBriefly(client, "session");
        await client.query("select pg_advisory_lock($1)", [migrationLock]);
        if (await expectPending(client)) await applyPending(client);
      },
      patience,
    );
  } finally {
    await client.end();
    await asker.end();
  }
}

async function applyPending(client: pg.Client): Promise<void> {
  // Loaded where there is something to migrate, which most starts have not.
  const { runner } = await import("node-pg-migrate");
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
}

/**
 * A database's schema compared with this code: migrations to apply at the next start, and those known only to newer
 * code.
 */
type SchemaStanding = { readonly pending: readonly string[]; readonly unknown: readonly string[] };

/** Reads the schema without changing it. */
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

export const newerSchema = (name: string): string =>
  `The database was migrated to a schema unknown to this version (${name}): start the newer version, or restore a backup from before it.`;

/**
 * Whether there is anything to do.
 * @throws OperatorError when a newer version migrated the database, or the connected role may not
 */
async function expectPending(client: pg.Client): Promise<boolean> {
  const { pending, unknown } = await schemaStanding(client);
  const [newer] = unknown;
  if (newer !== undefined) throw new OperatorError(newerSchema(newer));
  if (pending.length === 0) return false;
  const { role, isAllowed } = await migrationRights(client);
  if (isAllowed) return true;
  throw new OperatorError(
    `The database lacks ${pending.length} migrations, and the role ${role} may not apply them: run npm run migrate with the owner's address in DATABASE_URL.`,
  );
}

/** The connected role, and whether it may migrate the database. */
export async function migrationRights(
  client: Pick<pg.Client, "query">,
): Promise<{ readonly role: string; readonly isAllowed: boolean }> {
  const { rows } = await client.query<{ role: string; isAllowed: boolean }>(
    `select current_user as role, coalesce(
       (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('public.installation')),
       has_schema_privilege('public', 'create')
     ) as "isAllowed"`,
  );
  return rows[0] ?? { role: "", isAllowed: false };
}
