import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import { type Database, slotsInUse } from "./vault-rows.ts";

export type AbandonedKeysParts = {
  readonly pool: Database;
  readonly keyRing: KeyRing;
  /** @throws OtherLogAnswers when the log is no longer the one of the database, or the store's faults */
  readonly confirmLog: () => Promise<void>;
  /** When this database began: keys in use before are another one's. Null where nobody wrote it down. */
  readonly begunAt: Date | null;
};

/**
 * Destroys the keys of records that never came to be: a process or its connection died between encrypting and commit. The
 * ciphertext may lie in the write-ahead log all the same, where no row leads to it, so no purge would ever reach its key.
 * Whoever was told that a record is sealed loses nothing: such a key is settled. `before` must lie further back than any
 * statement can last; an hour is plenty. Answers how many keys were destroyed.
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
  // A database that was restored lacks the rows of what was sealed since, and their keys would look abandoned.
  await confirmLog();
  await keyRing.settle(stored ?? []);
  await keyRing.zero(abandoned ?? []);
  return abandoned?.length ?? 0;
}
