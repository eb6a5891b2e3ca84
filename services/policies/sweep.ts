import { setTimeout as delay } from "node:timers/promises";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { destroyAbandonedKeys } from "../vault/abandoned-keys.ts";
import { jobOf } from "./duty-jobs.ts";
import { dutiesToLookAt, latePurges } from "./duty-list.ts";
import { sweepVault, type VaultSweepParts } from "./sweep-vault.ts";

/** Sensitive data that is still there so long after it was due makes an alarm; the promise to customers is 180 s. */
export const purgeAlarmSeconds = 120;

const mostDuties = 1000;
const keyCheckEveryMs = 86_400_000;
/** Longer than any insert can take. */
const abandonedAfterMs = 3_600_000;

export type SweepParts = VaultSweepParts & { pool: Pool; keyRing: KeyRing; everySeconds: number };

export type Sweep = {
  /** One round: what is due in the vault, then what is due on the list of duties. */
  once(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
};

/** Re-creates every job that is owed and missing. Adding one that waits already changes nothing, so it need not ask. */
export function createSweep(parts: SweepParts): Sweep {
  const { pool, jobs, everySeconds, now, log } = parts;
  const stopped = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let nextKeyCheckAt = 0;

  /** At start and daily: keys whose record a crash kept from being stored. */
  async function checkKeys(at: Date): Promise<void> {
    if (at.getTime() < nextKeyCheckAt) return;
    const destroyed = await destroyAbandonedKeys(parts, new Date(at.getTime() - abandonedAfterMs));
    if (destroyed > 0) log.info({ keys: destroyed }, "keys of records that were never stored were destroyed");
    nextKeyCheckAt = at.getTime() + keyCheckEveryMs;
  }

  async function once(): Promise<void> {
    await sweepVault(parts);
    const at = now();
    await checkKeys(at);
    const due = await dutiesToLookAt(pool, at, mostDuties);
    await jobs.add(due.map((duty) => jobOf({ ...duty, dueAt: at }, at)));
    for (const { orderId, dueAt } of await latePurges(pool, at, purgeAlarmSeconds)) {
      log.error(
        { orderId, dueSince: dueAt.toISOString() },
        "ALARM: sensitive data should have been destroyed",
      );
    }
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await delay(everySeconds * 1000, undefined, { signal: stopped.signal }).catch(() => undefined); // Woken to stop.
      if (stopped.signal.aborted) return;
      await once().catch((error: unknown) =>
        log.error(
          { code: error instanceof Error ? error.name : "unknown" },
          "the sweep failed and comes round again",
        ),
      );
    }
  }

  return {
    once,
    start: () => {
      running = run();
    },
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}
