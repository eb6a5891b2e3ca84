import { createHash } from "node:crypto";
import { keyFingerprint } from "../../infra/key-ring/agreed-files.ts";
import { KeyGone, type KeyRing } from "../../infra/key-ring/key-ring.ts";
import { tryOpen } from "./envelope.ts";
import { type DestructionReceipt, ProbeFailed, RecordUnreadable } from "./vault.ts";
import { buryRows, type Database, type LiveRow, rowsOf, type VaultRow } from "./vault-rows.ts";

type Parts = { database: Database; keyRing: KeyRing; now: () => Date };

/**
 * Zeroes the keys, proves that nothing can be opened any more, then empties the rows. A crash at any step is repaired
 * by repeating: the fingerprints for the receipt were stored when the records were sealed.
 */
export async function destroyRecords(
  { database, keyRing, now }: Parts,
  recordIds: readonly string[],
): Promise<DestructionReceipt> {
  const rows = await rowsOf(database, recordIds);
  const live = rows.flatMap((row) => (row.envelope ? [{ ...row, envelope: row.envelope }] : []));
  for (const row of live) await refuseForeignKey(keyRing, row);
  await zeroKeys(keyRing, live);
  for (const row of live) await probe(keyRing, row);
  if (live.length > 0)
    await buryRows(
      database,
      live.map(({ recordId }) => recordId),
      now(),
    );
  return receiptOf(recordIds, rows);
}

/** A row changed to point to another record's key must not get that key erased. */
async function refuseForeignKey(keyRing: KeyRing, row: LiveRow): Promise<void> {
  for (const key of await keyRing.probe(row.slot)) {
    if (key.some((byte) => byte !== 0) && keyFingerprint(key) !== row.keyFingerprint) {
      throw new RecordUnreadable(
        `Record ${row.recordId} names a key that is not its own: nothing was destroyed.`,
      );
    }
  }
}

async function zeroKeys(keyRing: KeyRing, live: readonly LiveRow[]): Promise<void> {
  try {
    await keyRing.zero(live.map(({ slot }) => slot));
  } catch (error) {
    // A missing key may be in a folder that is not mounted, so it does not count as erased.
    if (error instanceof KeyGone) throw new ProbeFailed(error.message, { cause: error });
    throw error;
  }
}

/** Reads the slot back from every key folder, and tries to open the record with its content. */
async function probe(keyRing: KeyRing, row: LiveRow): Promise<void> {
  const found = await keyRing.probe(row.slot);
  const opens = found.some(
    (bytes) => bytes.some((byte) => byte !== 0) || tryOpen(row.envelope, bytes, row) !== undefined,
  );
  if (found.length === 0 || opens) {
    throw new ProbeFailed(`The key of record ${row.recordId} could not be shown to be gone.`);
  }
}

function receiptOf(recordIds: readonly string[], rows: readonly VaultRow[]): DestructionReceipt {
  const hash = createHash("sha256").update("certificates/destroyed-keys/1\0");
  for (const row of rows) hash.update(row.keyFingerprint);
  return {
    recordIds: [...recordIds],
    kinds: [...new Set(rows.map(({ kind }) => kind))].sort(),
    keyFingerprint: hash.digest("hex"),
    probe: "unreadable",
  };
}
