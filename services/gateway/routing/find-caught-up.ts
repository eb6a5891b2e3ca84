import type { Parts } from "../parts.ts";
import { longestWaitMs } from "./read-after.ts";

/**
 * What a query finds, or finds once the read models hold all that has happened by now: what was made a moment ago may not be in them
 * yet, and that is no reason to say that there is none.
 */
export async function findCaughtUp<Found>(
  { desk, waitFor }: Parts,
  query: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const found = await query();
  if (found !== undefined) return found;
  await waitFor(await desk.orders.head(), longestWaitMs);
  return query();
}
