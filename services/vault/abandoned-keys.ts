import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import { type Database, slotsInUse } from "./vault-rows.ts";

type AbandonedKeysParts = {
  readonly pool: Database;
  readonly keyRing: KeyRing;
  /** @throws OtherLogAnswers when another log has replaced the database's own, or the store's errors */
  readonly confirmLog: () => Promise<void>;
  /** When this database began: keys from before belong to another one. Null if not recorded. */
  readonly begunAt: Date | null;
};

/**
 * Erases the keys of records that were never stored, because a process or its connection died between encryption and
 * commit. The ciphertext may still be in the write-ahead log, where no row points to it, so no purge would ever reach
 * its key. A record reported as sealed loses nothing: its key is resolved.
 * @param before must be further back than any statement can last; an hour is plenty
 * @returns the number of keys erased
 */
export async function destroyAbandonedKeys(
  { pool, keyRing, confirmLog, begunAt }: AbandonedKeysParts,
  before: Date,
): Promise<number> {
  const unsettled = await keyRing.unsettled(before, begunAt ?? undefined);
  if (unsettled.length === 0) return 0;
  const used = new Set((await slotsInUse(pool, unsettled)).map(({ segment, slot }) => `${segment}/${slot}`));
  const [stored, abandoned] = [true, false].map((isUsed) =>
    unsettled.filter(({ segment, slot }) => used.has(`${segment}/${slot}`) === isUsed),
  );
  // A restored database lacks rows sealed since the backup, and their keys would look abandoned.
  await confirmLog();
  await keyRing.settle(stored ?? []);
  await keyRing.zero(abandoned ?? []);
  return abandoned?.length ?? 0;
}
