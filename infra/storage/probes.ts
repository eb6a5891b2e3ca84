import pg from "pg";
import type { EventStore } from "../event-store/event-store.ts";
import { endClient } from "../event-store/kurrent/kurrent-client.ts";

const patienceMs = 2000;

/** Asks the database over a connection of its own: those of the pool may hang while a server that came back takes new ones. */
export const probeDatabase = (connectionString: string) => async (): Promise<void> => {
  const client = new pg.Client({
    connectionString,
    application_name: "certificates probe",
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  client.on("error", () => undefined); // The question on it fails and says why.
  try {
    await client.connect();
    await client.query("select 1");
  } finally {
    await endClient(client);
  }
};

/** Asks for a stream that never is: the smallest question that the log's leader has to answer. */
export const probeLog = (store: Pick<EventStore, "readStream">) => async (): Promise<void> =>
  void (await store.readStream("probe"));
