import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

const mostMs = 1000;

/** Ends a connection, whatever state it is in, without waiting long for a server that does not answer. Never throws. */
export async function endClient(client: pg.Client): Promise<void> {
  const gaveUp = new AbortController();
  // A connection that is broken already cannot be ended any better.
  const ended = client.end().catch(() => undefined);
  await Promise.race([ended, delay(mostMs, undefined, { signal: gaveUp.signal }).catch(() => undefined)]);
  gaveUp.abort();
}
