import type { Config } from "../../infra/config/config.ts";
import type { EventStore } from "../../infra/event-store/event-store.ts";
import { openEventStore } from "../../infra/event-store/open-event-store.ts";
import { hasLog } from "../../infra/log-binding/log-binding.ts";
import { openBoundStore } from "../../infra/log-binding/open-bound-store.ts";
import { addressOfOwned, startEmbedded } from "../../infra/postgres/embedded.ts";
import { hasCluster } from "../../infra/postgres/embedded-cluster.ts";
import { migrate } from "../../infra/postgres/migrate.ts";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { reachDatabase } from "../../infra/postgres/reach-database.ts";
import { createLog, type Log } from "../../infra/process/log.ts";
import { OperatorError } from "../../infra/process/operator-error.ts";

/** Any log with its database. */
type OpenAnyLog = {
  pool: Pool;
  store: EventStore;
  connectionString: string;
  close: () => Promise<void>;
  /** Resolves when the database is permanently lost. */
  lost: Promise<Error>;
};

/** The log that belongs to the database. */
export type OpenLog = OpenAnyLog & {
  /** @throws OtherLogAnswers when another log has replaced it, or the store's errors */
  confirmLog: () => Promise<void>;
};

type Places = Pick<Config, "DATABASE_URL" | "DATA_DIR" | "EVENTSTORE_URL">;

type OpenLogOptions = {
  /** For commands that look at what is there: they may use the product's embedded server beside it. */
  readonly beside?: boolean;
  readonly log?: Log;
};

/**
 * The log and its database, for standalone processes. The embedded server has one owner: while the product runs on it,
 * commands that must not run alongside refuse to start.
 * @throws OperatorError when the log does not belong to the database
 */
export async function openLog(config: Places, options: OpenLogOptions = {}): Promise<OpenLog> {
  const { log = createLog("silent") } = options;
  if (options.beside) expectDatabase(config);
  return openWith(config, options, async ({ pool, connectionString }) => {
    const { store, close } = await openBoundStore({
      ...{ url: config.EVENTSTORE_URL, pool, connectionString, log, now: () => new Date() },
      // What was signed is beside the keys, and not every process has those.
      signed: undefined,
    });
    return { store, close, confirmLog: () => store.confirm() };
  });
}

/** Opens any log without checking that it belongs to the database: to compare, copy or accept it. */
export async function openAnyLog(config: Places, options: OpenLogOptions = {}): Promise<OpenAnyLog> {
  expectDatabase(config);
  return openWith(config, options, async ({ pool, connectionString }) => {
    const url = config.EVENTSTORE_URL;
    const store = await openEventStore({ url, pool, connectionString, onlyLooks: await hasLog(pool) });
    return { store, close: () => store.close() };
  });
}

/** Where there is none, a command would create an empty one, and report success. */
function expectDatabase({ DATABASE_URL, DATA_DIR }: Places): void {
  if (DATABASE_URL === undefined && !hasCluster(DATA_DIR))
    throw new OperatorError(
      `${DATA_DIR} holds no database: set DATA_DIR to the product's, or DATABASE_URL if it has a Postgres of its own.`,
    );
}

async function openWith<Store extends Pick<OpenAnyLog, "store" | "close">>(
  config: Places,
  { beside }: OpenLogOptions,
  open: (database: Pick<OpenAnyLog, "pool" | "connectionString">) => Promise<Store>,
): Promise<Store & OpenAnyLog> {
  await using closing = new AsyncDisposableStack();
  const others = config.DATABASE_URL ?? (beside ? await addressOfOwned(config.DATA_DIR) : undefined);
  const embedded = others ? undefined : await startEmbedded({ directory: config.DATA_DIR });
  closing.defer(async () => embedded?.stop());
  if (others) await reachDatabase(others);
  const connectionString = others ?? embedded?.connectionString ?? "";
  await migrate(connectionString);
  const pool = closing.adopt(createPool(connectionString), (opened) => opened.end());
  const store = await open({ pool, connectionString });
  closing.defer(store.close);
  const opened = closing.move();
  return {
    ...store,
    pool,
    connectionString,
    lost: embedded?.lost ?? new Promise(() => undefined),
    close: () => opened.disposeAsync(),
  };
}
