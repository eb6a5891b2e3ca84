import type { Config } from "../infra/config.ts";
import type { EventStore } from "../infra/event-store/event-store.ts";
import { openEventStore } from "../infra/event-store/open-event-store.ts";
import { startEmbedded } from "../infra/postgres/embedded.ts";
import { migrate } from "../infra/postgres/migrate.ts";
import { createPool, type Pool } from "../infra/postgres/pool.ts";
import { reachDatabase } from "../infra/postgres/reach-database.ts";

export type OpenLog = {
  pool: Pool;
  store: EventStore;
  close: () => Promise<void>;
  /** Settles when the database is gone for good. */
  lost: Promise<Error>;
};

/**
 * The log and its database, for the commands that run by themselves. The embedded server has one owner: where the product
 * is running on it, they say so and do nothing.
 */
export async function openLog(
  config: Pick<Config, "DATABASE_URL" | "DATA_DIR" | "EVENTSTORE_URL">,
): Promise<OpenLog> {
  const embedded = config.DATABASE_URL ? undefined : await startEmbedded({ directory: config.DATA_DIR });
  if (config.DATABASE_URL) await reachDatabase(config.DATABASE_URL);
  const connectionString = config.DATABASE_URL ?? embedded?.connectionString ?? "";
  await migrate(connectionString);
  const pool = createPool(connectionString);
  const store = await openEventStore({ url: config.EVENTSTORE_URL, pool, connectionString });
  return {
    pool,
    store,
    lost: embedded?.lost ?? new Promise(() => undefined),
    async close() {
      await store.close();
      await pool.end();
      await embedded?.stop();
    },
  };
}
