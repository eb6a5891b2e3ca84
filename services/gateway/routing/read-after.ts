import type { Request, Response } from "express";
import type { Position } from "../../../infra/event-store/event-store.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";

/** Longest wait of a read for the position it asks for. */
const longestWaitMs = 1000;

/** Waits until the read models have reached a position; false on timeout. */
export type WaitFor = (position: Position, timeoutMs: number) => Promise<boolean>;

/**
 * Makes a read see the caller's own writes (`Read-After`); after 1 s it answers from what there is, with `Stale: true`.
 */
export async function settle(request: Request, response: Response, waitFor: WaitFor): Promise<void> {
  const position = request.get("Read-After");
  if (position === undefined || !/^[\w.:-]{1,80}$/.test(position)) return;
  if (!(await waitFor(position, longestWaitMs))) response.set("Stale", "true");
}

/**
 * Runs a query, and if it finds nothing, again once the read models have caught up: something created a moment ago may
 * not be in them yet.
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
