import type { Config } from "../infra/config.ts";
import type { EventStore } from "../infra/event-store/event-store.ts";
import { openEventStore } from "../infra/event-store/open-event-store.ts";
import { startEmbedded } from "../infra/postgres/embedded.ts";
import { addressOfOwned } from "../infra/postgres/embedded-guest.ts";
import { migrate } from "../infra/postgres/migrate.ts";
import { createPool, type Pool } from "../infra/postgres/pool.ts";
import { reachDatabase } from "../infra/postgres/reach-database.ts";

export type OpenLog = {
  pool: Pool;
  store: EventStore;
  connectionString: string;
  close: () => Promise<void>;
  /** Settles when the database is gone for good. */
  lost: Promise<Error>;
};

/**
 * The log and its database, for the commands that run by themselves. The embedded server has one owner: where the product
 * is running on it, those that may not work beside it say so and do nothing.
 * @param options.beside whether the command may work on the embedded server while the product owns it
 */
export async function openLog(
  config: Pick<Config, "DATABASE_URL" | "DATA_DIR" | "EVENTSTORE_URL">,
  options: { beside?: boolean } = {},
): Promise<OpenLog> {
  const others = config.DATABASE_URL ?? (options.beside ? await addressOfOwned(config.DATA_DIR) : undefined);
  const embedded = others ? undefined : await startEmbedded({ directory: config.DATA_DIR });
  if (others) await reachDatabase(others);
  const connectionString = others ?? embedded?.connectionString ?? "";
  await migrate(connectionString);
  const pool = createPool(connectionString);
  const store = await openEventStore({ url: config.EVENTSTORE_URL, pool, connectionString });
  return {
    pool,
    store,
    connectionString,
    lost: embedded?.lost ?? new Promise(() => undefined),
    async close() {
      await store.close();
      await pool.end();
      await embedded?.stop();
    },
  };
}
