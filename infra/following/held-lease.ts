import type { Pool } from "../postgres/pool.ts";
import { pause } from "./follower-turn.ts";
import * as leases from "./lease.ts";

/**
 * Does work under a lease that is renewed three times in its length, and gives the lease away in the end. The work's signal
 * aborts when the caller's does or the lease is lost.
 * @throws LeaseLost when somebody else holds it by then, and whatever the work throws
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
    // Failing to give the lease away only makes the next holder wait until it has run out.
    await leases.release(pool, key, lease.fence).catch(() => undefined);
  }

  async function renewUntil(stop: AbortSignal): Promise<void> {
    while (!stop.aborted && !lost.signal.aborted) {
      await pause(leaseMs / 3, stop);
      if (stop.aborted) return;
      try {
        await leases.renew(pool, key, lease.fence, leaseMs);
      } catch (error) {
        // Any other fault may pass; until it does, the fence keeps this process from harm.
        if (error instanceof leases.LeaseLost) lost.abort();
      }
    }
  }
}
