import { join } from "node:path";
import { runner } from "node-pg-migrate";
import pg from "pg";

const directory = join(import.meta.dirname, "migrations");

/** Any number will do, as long as every process uses the same. */
const migrationLock = 7_306_521;

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Brings a database to the newest schema. Safe to call from several processes at once: they queue for a lock, where the library's own would make the second one fail. */
export async function migrate(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await runner({
      dbClient: client,
      dir: directory,
      direction: "up",
      migrationsTable: "migrations",
      checkOrder: true,
      singleTransaction: true,
      noLock: true,
      logger: silent,
    });
  } finally {
    await client.end();
  }
}
