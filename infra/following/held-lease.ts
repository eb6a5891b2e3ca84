import type { Pool } from "../postgres/pool.ts";
import { pause } from "./follower-turn.ts";
import * as leases from "./lease.ts";

/** After a holder is killed, another takes over within this time and a quarter: within 5 s. */
export const usualLeaseMs = 3_000;

/** How often a standby process looks for a free lease. */
export const askEveryMs = (leaseMs: number): number => Math.min(1_000, leaseMs / 4);

/**
 * Runs work under a lease that is renewed three times per term, and releases it in the end. The work's signal aborts
 * with the caller's, or when the lease is lost.
 * @param onAsked called when a renewal finds that a retry of parked streams was asked for
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
  onAsked: () => void = () => undefined,
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
      if (!stop.aborted) await renewOnce();
    }
  }

  async function renewOnce(): Promise<void> {
    try {
      if (await leases.renew(pool, key, lease.fence, leaseMs)) onAsked();
    } catch (error) {
      // Any other error may be transient; until it clears, the fence prevents wrong writes.
      if (error instanceof leases.LeaseLost) lost.abort();
    }
  }
}
