import type { Pool } from "../postgres/pool.ts";
import type { EventStore } from "./event-store.ts";
import type { OnBatch } from "./postgres/append-batcher.ts";
import { createPostgresEventStore } from "./postgres/postgres-event-store.ts";

export type OpenEventStoreOptions = {
  /** EVENTSTORE_URL; undefined keeps the log in Postgres. */
  url: string | undefined;
  pool: Pool;
  connectionString: string;
  signal?: AbortSignal;
  /** Changes nothing, not even in an empty event store: there is then no log to open. */
  onlyLooks?: boolean;
  /** A server that is just starting gets this long (20 s); longer would hide a wrong address. */
  patienceMs?: number;
  /** Hears of a fault that followers are waiting out. */
  onTrouble?: (error: unknown) => void;
  /** Hears of each batch of appends, where the log is kept in Postgres. */
  onBatch?: OnBatch;
};

/**
 * The event store that the configuration names.
 * @throws OperatorFault when the server cannot be reached or refuses us; the signal's reason when the start is given up
 */
export async function openEventStore(options: OpenEventStoreOptions): Promise<EventStore> {
  const { url, pool, connectionString, patienceMs = 20_000, signal, onTrouble = () => undefined } = options;
  const { onBatch, onlyLooks = false } = options;
  if (url === undefined)
    return createPostgresEventStore({ pool, connectionString, onTrouble, ...(onBatch && { onBatch }) });
  // Its client takes 0.3 s to load, which those who keep the log in Postgres need not wait for.
  const { createKurrentEventStore } = await import("./kurrent/kurrent-event-store.ts");
  const { reachEventStore } = await import("./reach-event-store.ts");
  const store = createKurrentEventStore({ url, onlyLooks, onTrouble });
  try {
    await reachEventStore(() => store.logId(), url, patienceMs, signal);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
