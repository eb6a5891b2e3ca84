import { nameOfFault } from "../../infra/following/follower-faults.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { isStorageFault, type StorageWatch } from "../../infra/storage/storage-watch.ts";
import { destroyAbandonedKeys } from "../vault/abandoned-keys.ts";
import { lookForLostIndex } from "../vault/index-terms.ts";
import { clearKeylessMonths, closeMonths } from "../vault/month-keys.ts";
import { DutyFailed, type PerformDuty, placeOf } from "./perform-task.ts";
import { createPurgeAlarm } from "./purging/purge-alarm.ts";
import { sweepVault, type VaultSweepParts } from "./purging/sweep-vault.ts";
import { createRounds } from "./rounds.ts";
import { jobOf } from "./tasks/task-jobs.ts";
import type { DutyWatch } from "./tasks/task-watch.ts";

const mostDuties = 1000;
/** The queue has so long to do a purge; then the sweep does it itself. */
const purgePatienceMs = 10_000;
/** Most purges that the sweep does itself in one round. */
const mostPurges = 200;
const keyCheckEveryMs = 86_400_000;
/** Longer than any insert can take. */
const abandonedAfterMs = 3_600_000;

export type SweepParts = VaultSweepParts & {
  pool: Pool;
  keyRing: KeyRing;
  /** Keys in use before are another database's; null where nobody wrote down when this one began. */
  begunAt: Date | null;
  jobs: Jobs;
  perform: PerformDuty;
  everySeconds: number;
  dutyWatch?: DutyWatch;
  storage?: StorageWatch;
};

export type Sweep = {
  /** One round: what is due in the vault, then what is due on the list of duties. What fails is logged and comes round again. */
  once(): Promise<void>;
  start(): void;
  /** Begins the next round at once. */
  soon(): void;
  /** Ends after what is in hand. */
  stop(): Promise<void>;
};

/** Re-creates every job that is owed and missing. Adding one that waits already changes nothing, so it need not ask. */
export function createSweep(parts: SweepParts): Sweep {
  const { list, jobs, everySeconds, now, log, storage } = parts;
  const alarm = createPurgeAlarm(parts);
  const rounds = createRounds(everySeconds, once);
  let nextKeyCheckAt = 0;

  /** At start and daily: keys whose record a crash kept from being stored, and those of months in which nobody is found any more; then segments that hold no key. */
  async function checkKeys(): Promise<void> {
    const at = now();
    if (at.getTime() < nextKeyCheckAt) return;
    const destroyed = await destroyAbandonedKeys(parts, new Date(at.getTime() - abandonedAfterMs));
    if (destroyed > 0) log.info({ keys: destroyed }, "keys of records that were never stored were destroyed");
    await parts.confirmLog();
    await clearKeylessMonths(parts);
    await lookForLostIndex(parts);
    const months = await closeMonths(parts);
    if (months > 0) log.info({ months }, "keys of the blind index were destroyed: their months are empty");
    const segments = await parts.keyRing.compact();
    if (segments > 0) log.info({ segments }, "key segments in which no key was left were removed");
    nextKeyCheckAt = at.getTime() + keyCheckEveryMs;
  }

  async function once(): Promise<void> {
    await apart("vault", () => sweepVault(parts, rounds.stopping));
    await apart("duties", async () => {
      const at = now();
      await purgeWhatIsLate(parts, at, rounds.stopping);
      const due = await list.toLookAt(at, mostDuties);
      // Behind what has only just fallen due: a thousand that wait already wait no longer for it.
      await jobs.add(due.map((duty) => jobOf({ ...duty, dueAt: at }, at, "background")));
    });
    await apart("alarm", alarm);
    await apart("keys", checkKeys);
  }

  /** One part that fails must not keep the others from their work. */
  async function apart(part: string, work: () => Promise<void>): Promise<void> {
    if (rounds.stopping.aborted) return;
    await work().catch((error: unknown) => {
      if (storage && isStorageFault(error)) storage.suspect(error);
      else log.error({ part, code: nameOfFault(error), place: placeOf(error) }, "a part of the sweep failed");
    });
  }

  return { once, start: rounds.start, soon: rounds.soon, stop: rounds.stop };
}

/** The promise about sensitive data holds whatever became of the queue, or of those that fill it. */
async function purgeWhatIsLate(
  { list, perform }: Pick<SweepParts, "list" | "perform">,
  at: Date,
  stopped: AbortSignal,
): Promise<void> {
  const dueSince = new Date(at.getTime() - purgePatienceMs);
  for (const { subjectId, name } of await list.latePurges(at, dueSince, mostPurges)) {
    if (stopped.aborted) return;
    await perform(subjectId, name).catch((error: unknown) => {
      // That one is logged, and on the list for the next round.
      if (!(error instanceof DutyFailed)) throw error;
    });
  }
}
