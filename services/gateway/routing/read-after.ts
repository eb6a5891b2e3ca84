import type { Request, Response } from "express";
import type { Position } from "../../../infra/event-store/event-store.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";

/** How long a read waits at most for what it was promised to see. */
export const longestWaitMs = 1000;

/** Waits until the read models hold what happened up to a position; false when they did not in time. */
export type WaitFor = (position: Position, timeoutMs: number) => Promise<boolean>;

/** Makes a read see the caller's own write (`Read-After`); after 1 s it answers with what there is and `Stale: true`. */
export async function settle(request: Request, response: Response, waitFor: WaitFor): Promise<void> {
  const position = request.get("Read-After");
  if (position === undefined || !/^[\w.:-]{1,80}$/.test(position)) return;
  if (!(await waitFor(position, longestWaitMs))) response.set("Stale", "true");
}

/**
 * What a query finds, or finds once the read models hold all that has happened by now: what was made a moment ago may not be in them
 * yet, and that is no reason to say that there is none.
 */
export async function findCaughtUp<Found>(
  { deps, waitFor }: { readonly deps: Pick<OrderDependencies, "orders">; readonly waitFor: WaitFor },
  query: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const found = await query();
  if (found !== undefined) return found;
  await waitFor(await deps.orders.head(), longestWaitMs);
  return query();
}
