import { setTimeout as delay } from "node:timers/promises";
import { OperatorFault } from "../operator-fault.ts";
import type { Pool } from "../postgres/pool.ts";
import type { OnBatch } from "./append-batcher.ts";
import type { EventStore } from "./event-store.ts";
import { EventStoreUnreachable } from "./event-store-unreachable.ts";
import { createPostgresEventStore } from "./postgres-event-store.ts";

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
  const { createKurrentEventStore } = await import("./kurrent-event-store.ts");
  const store = createKurrentEventStore({ url, onlyLooks, onTrouble });
  try {
    await reach(store, patienceMs, signal);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function reach(store: EventStore, patienceMs: number, signal?: AbortSignal): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      await store.logId();
      return;
    } catch (cause) {
      if (!(cause instanceof EventStoreUnreachable)) throw refusalOf(cause);
      if (Date.now() > deadline) throw unreachableFault(cause);
    }
    await delay(500);
  }
}

function refusalOf(cause: unknown): OperatorFault {
  if (cause instanceof OperatorFault) return cause;
  return new OperatorFault(
    `The event store at EVENTSTORE_URL refuses us (${cause instanceof Error ? cause.constructor.name : "unknown"}): see to the user, its password and its rights.`,
    { cause },
  );
}

/** What it means to the operator that nobody answers at EVENTSTORE_URL. */
export const unreachableFault = (cause: unknown): OperatorFault =>
  new OperatorFault(
    "The event store at EVENTSTORE_URL cannot be reached: start it, or set EVENTSTORE_URL to where it is. Add ?tls=false for a server without TLS.",
    { cause },
  );
