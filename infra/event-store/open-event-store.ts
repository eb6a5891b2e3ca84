import type { Pool } from "../postgres/pool.ts";
import type { EventStore } from "./event-store.ts";
import type { OnBatch } from "./postgres/append-batcher.ts";
import type { CompanionTable } from "./postgres/companions.ts";
import { createPostgresEventStore } from "./postgres/postgres-event-store.ts";

export type OpenEventStoreOptions = {
  /** EVENTSTORE_URL; undefined keeps the log in Postgres. */
  url: string | undefined;
  pool: Pool;
  connectionString: string;
  /** The table whose rows appends may take along, when the log is in Postgres. */
  companions?: CompanionTable;
  signal?: AbortSignal;
  /** Changes nothing, not even an empty event store, which then has no log to open. */
  onlyLooks?: boolean;
  /** How long a starting server may take (20 s); longer would hide a wrong address. */
  patienceMs?: number;
  /** Called with an error that followers are retrying. */
  onTrouble?: (error: unknown) => void;
  /** Called for each batch of appends, when the log is in Postgres. */
  onBatch?: OnBatch;
};

/**
 * The configured event store.
 * @throws OperatorError when the server is unreachable or refuses us; the signal's reason when the start is cancelled
 */
export async function openEventStore(options: OpenEventStoreOptions): Promise<EventStore> {
  const { url, pool, connectionString, patienceMs = 20_000, signal, onTrouble = () => undefined } = options;
  const { onBatch, companions, onlyLooks = false } = options;
  if (url === undefined)
    return createPostgresEventStore({
      ...{ pool, connectionString, companions, onTrouble },
      ...(onBatch && { onBatch }),
    });
  // Its client takes 0.3 s to load, which installations with the log in Postgres need not spend.
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
