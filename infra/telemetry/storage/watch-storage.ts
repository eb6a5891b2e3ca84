import pg from "pg";
import type { EventStore } from "../../event-store/event-store.ts";
import { endClient } from "../../postgres/pool.ts";
import type { Log } from "../../process/log.ts";
import { createStorageWatch, type StorageWatch } from "./storage-watch.ts";

const patienceMs = 2000;

/**
 * Checks the database over a separate connection: those of the pool may hang while a recovered server accepts new ones.
 */
const probeDatabase = (connectionString: string) => async (): Promise<void> => {
  const client = new pg.Client({
    connectionString,
    application_name: "certificates probe",
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  client.on("error", () => undefined); // Reported by the failing query.
  try {
    await client.connect();
    await client.query("select 1");
  } finally {
    await endClient(client);
  }
};

/** Reads a stream that never exists: the cheapest request that needs the log's leader. */
const probeLog = (store: Pick<EventStore, "readStream">) => async (): Promise<void> =>
  void (await store.readStream("probe"));

/** Watches the database, and the event store if it is a separate server. */
export function watchStorage(parts: {
  readonly connectionString: string;
  readonly store: Pick<EventStore, "readStream">;
  /** True when the log is not in Postgres. */
  readonly isApart: boolean;
  readonly log: Log;
}): StorageWatch & AsyncDisposable {
  const { connectionString, store, isApart, log } = parts;
  return createStorageWatch({
    probes: {
      database: probeDatabase(connectionString),
      ...(isApart && { "event store": probeLog(store) }),
    },
    log: { warn: (facts, words) => log.warn(facts, words), info: (facts, words) => log.info(facts, words) },
  });
}
