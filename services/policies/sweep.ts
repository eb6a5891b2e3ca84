import { nameOfError } from "../../infra/following/follower-faults.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { isStorageError, type StorageWatch } from "../../infra/telemetry/storage/storage-watch.ts";
import { destroyAbandonedKeys } from "../vault/abandoned-keys.ts";
import { lookForLostIndex } from "../vault/index-terms.ts";
import { clearKeylessMonths, closeMonths } from "../vault/month-keys.ts";
import { type PerformTask, placeOf, TaskFailed } from "./perform-task.ts";
import { createPurgeAlarm } from "./purging/purge-alarm.ts";
import { sweepVault, type VaultSweepParts } from "./purging/sweep-vault.ts";
import { createRounds } from "./rounds.ts";
import type { TaskWatch } from "./task-dependencies.ts";
import { visitsFor } from "./tasks/arrange-visits.ts";

const mostTasks = 1000;
/** Time allowed for the queue to run a purge before the sweep does it itself. */
const purgePatienceMs = 10_000;
const mostPurges = 200;
/** Time allowed for a task that is due to be performed, before its job counts as lost. */
const jobPatienceMs = 3_000;
const keyCheckEveryMs = 86_400_000;
/** Longer than any insert can take. */
const abandonedAfterMs = 3_600_000;

type SweepParts = VaultSweepParts & {
  pool: Pool;
  keyRing: KeyRing;
  /** Keys created before this belong to another database; null when the start of this one was not recorded. */
  begunAt: Date | null;
  jobs: Jobs;
  perform: PerformTask;
  everySeconds: number;
  taskWatch?: TaskWatch;
  storage?: StorageWatch;
};

type Sweep = {
  /** One round: due vault records, then due tasks. Failures are logged and retried in the next round. */
  once(): Promise<void>;
  start(): void;
  soon(): void;
  /** Waits for work in progress, then stops. */
  stop(): Promise<void>;
};

/** Restores every missing job. Adding one that already waits changes nothing, so it need not check. */
export function createSweep(parts: SweepParts): Sweep {
  const { everySeconds, now, log, storage } = parts;
  const alarm = createPurgeAlarm(parts);
  const rounds = createRounds(everySeconds, once);
  let nextKeyCheckAt = 0;

  /**
   * At start and daily: erases keys whose record a crash kept from being stored and index keys of empty months, then
   * removes empty key segments.
   */
  async function checkKeys(): Promise<void> {
    const at = now();
    if (at.getTime() < nextKeyCheckAt) return;
    const destroyed = await destroyAbandonedKeys(parts, new Date(at.getTime() - abandonedAfterMs));
    if (destroyed > 0) log.info({ keys: destroyed }, "keys of records that were never stored were erased");
    await parts.confirmLog();
    await clearKeylessMonths(parts);
    await lookForLostIndex(parts);
    const months = await closeMonths(parts);
    if (months > 0) log.info({ months }, "keys of the blind index were erased: their months are empty");
    const segments = await parts.keyRing.compact();
    if (segments > 0) log.info({ segments }, "empty key segments were removed");
    nextKeyCheckAt = at.getTime() + keyCheckEveryMs;
  }

  async function once(): Promise<void> {
    await apart("vault", () => sweepVault(parts, rounds.stopping));
    await apart("tasks", () => sweepTasks(parts, rounds.stopping));
    await apart("alarm", alarm);
    await apart("keys", checkKeys);
  }

  /** One failing part must not stop the others. */
  async function apart(part: string, work: () => Promise<void>): Promise<void> {
    if (rounds.stopping.aborted) return;
    await work().catch((error: unknown) => {
      if (storage && isStorageError(error)) storage.suspect(error);
      else log.error({ part, code: nameOfError(error), place: placeOf(error) }, "a part of the sweep failed");
    });
  }

  return { once, start: rounds.start, soon: rounds.soon, stop: rounds.stop };
}

/** Performs purges that the queue has left, and adds the jobs of tasks that are due and not performed. */
export async function sweepTasks(
  parts: Pick<SweepParts, "list" | "perform" | "jobs" | "now">,
  stopped: AbortSignal,
): Promise<void> {
  const { list, jobs, now } = parts;
  const at = now();
  await purgeWhatIsLate(parts, at, stopped);
  // Behind newly due tasks: these are not held up by a thousand that already wait.
  const lostSince = new Date(at.getTime() - jobPatienceMs);
  await jobs.add(visitsFor(await list.toLookAt(lostSince, mostTasks), "background"));
}

/** The promise about sensitive data holds even if the queue or its producers fail. */
async function purgeWhatIsLate(
  { list, perform }: Pick<SweepParts, "list" | "perform">,
  at: Date,
  stopped: AbortSignal,
): Promise<void> {
  const dueSince = new Date(at.getTime() - purgePatienceMs);
  for (const { subjectId, name } of await list.latePurges(at, dueSince, mostPurges)) {
    if (stopped.aborted) return;
    await perform(subjectId, name).catch((error: unknown) => {
      // Already logged, and listed for the next round.
      if (!(error instanceof TaskFailed)) throw error;
    });
  }
}
