import { nameOfError } from "../../infra/following/follower-faults.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { isStorageError, type StorageWatch } from "../../infra/telemetry/storage/storage-watch.ts";
import { destroyAbandonedKeys } from "../vault/abandoned-keys.ts";
import { lookForLostIndex } from "../vault/index-terms.ts";
import { clearKeylessMonths, closeMonths } from "../vault/month-keys.ts";
import { placeOf } from "./perform-task.ts";
import { createPurgeAlarm } from "./purging/purge-alarm.ts";
import { sweepVault, type VaultSweepParts } from "./purging/sweep-vault.ts";
import { createRounds } from "./rounds.ts";
import type { TaskWatch } from "./task-dependencies.ts";

const keyCheckEveryMs = 86_400_000;
/** Longer than any insert can take. */
const abandonedAfterMs = 3_600_000;

type SweepParts = VaultSweepParts & {
  pool: Pool;
  keyRing: KeyRing;
  /** Keys created before this belong to another database; null when the start of this one was not recorded. */
  begunAt: Date | null;
  everySeconds: number;
  taskWatch?: TaskWatch;
  storage?: StorageWatch;
};

type Sweep = {
  /** One round: due vault records, the alarm, and daily the keys. Failures are logged and retried in the next round. */
  once(): Promise<void>;
  start(): void;
  soon(): void;
  /** Waits for work in progress, then stops. */
  stop(): Promise<void>;
};

/** Checks that what the vault and the key folders hold is what the log names. */
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
