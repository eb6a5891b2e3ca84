import type { Pool } from "../postgres/pool.ts";
import { pause } from "./follower-turn.ts";
import * as leases from "./lease.ts";

/**
 * Runs work under a lease that is renewed three times per term, and releases it in the end. The work's signal aborts
 * with the caller's, or when the lease is lost.
 * @throws LeaseLost when another process holds it, and errors of the work
 */
export async function whileHeld(
  {
    pool,
    key,
    lease,
    leaseMs,
  }: { pool: Pool; key: leases.FollowerKey; lease: leases.Lease; leaseMs: number },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const ended = new AbortController();
  const lost = new AbortController();
  const renewing = renewUntil(ended.signal);
  try {
    await work(AbortSignal.any([signal, lost.signal]));
    if (lost.signal.aborted) throw new leases.LeaseLost();
  } finally {
    ended.abort();
    await renewing;
    // If the release fails, the next holder merely waits for the lease to expire.
    await leases.release(pool, key, lease.fence).catch(() => undefined);
  }

  async function renewUntil(stop: AbortSignal): Promise<void> {
    while (!stop.aborted && !lost.signal.aborted) {
      await pause(leaseMs / 3, stop);
      if (stop.aborted) return;
      try {
        await leases.renew(pool, key, lease.fence, leaseMs);
      } catch (error) {
        // Any other error may be transient; until it clears, the fence prevents wrong writes.
        if (error instanceof leases.LeaseLost) lost.abort();
      }
    }
  }
}
