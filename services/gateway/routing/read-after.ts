import type { Request, Response } from "express";
import type { Position } from "../../../infra/event-store/event-store.ts";

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
