import { createHash } from "node:crypto";
import type { z } from "zod";
import { keyFingerprint } from "../../infra/key-ring/durable-files.ts";
import { KeyGone, type KeyRing, type KeySlot } from "../../infra/key-ring/key-ring.ts";
import { claimDue, setNextLooks } from "./due-records.ts";
import { createSealQueue } from "./seal-queue.ts";
import {
  type CommandRecords,
  type DestructionReceipt,
  ProbeFailed,
  RecordGone,
  type RecordToSeal,
  RecordUnreadable,
  type Vault,
} from "./vault.ts";
import {
  buryRows,
  close,
  createRowReader,
  type Database,
  insertRows,
  type LiveRow,
  type RowReader,
  rowsOf,
  type SealedRow,
  summariesOf,
  tryOpen,
  type VaultRow,
  valuesOf,
} from "./vault-rows.ts";

export type VaultParts = {
  pool: Database;
  keyRing: KeyRing;
  now: () => Date;
  /** Whether the log is in the same database, and its store takes rows of `vaultTable` along. */
  storedByAppends?: boolean;
  /** Called before a key is taken for an append. @throws while the database is known not to answer */
  expectDatabase?: () => Promise<void>;
};

/** The vault on Postgres: ciphertext in rows, keys in the key ring, AES-256-GCM with a separate key for each record. */
export function createVault(parts: VaultParts): Vault {
  const { pool, keyRing, now, storedByAppends = false } = parts;
  const insert = createSealQueue((rows) => insertNoted(pool, keyRing, rows));
  const rows = createRowReader(pool, now);
  return {
    ...(storedByAppends && { recordsOfAppend: () => recordsOfAppend(parts) }),
    seal: async (record) => {
      const row = await encrypt(record, keyRing, now());
      const inserted = await insertOrForget(row, insert, keyRing);
      return inserted ? "sealed" : "existed";
    },
    open: (recordId, schema) => openRecord(rows, keyRing, canonical(recordId), schema),
    destroy: (recordIds) => {
      const ids = [...new Set(recordIds.map(canonical))].sort();
      rows.drop(ids);
      return destroyRecords({ database: pool, keyRing, now }, ids);
    },
    recordsOf: (subject, dataClass) => summariesOf(pool, subject, dataClass),
    claimDue: (claim) => claimDue(pool, claim),
    lookAgain: (looks) => setNextLooks(pool, looks),
  };
}

/** As `insertNoted`, but it is the append that inserts. */
function recordsOfAppend({ keyRing, now, expectDatabase }: VaultParts): CommandRecords {
  const rows: SealedRow[] = [];
  const slots = () => rows.map(({ slot }) => slot);
  return {
    seal: async (record) => {
      await expectDatabase?.();
      rows.push(await encrypt(record, keyRing, now()));
      return "sealed";
    },
    companions: async () => {
      await keyRing.markInUse(slots());
      return rows.map(valuesOf);
    },
    written: () => keyRing.settle(slots()),
    discard: () => keyRing.zero(slots()),
  };
}

/** As Postgres formats a uuid: the binding must be the same text when read back. */
function canonical(uuid: string): string {
  return uuid.toLowerCase();
}

async function encrypt(record: RecordToSeal, keyRing: KeyRing, sealedAt: Date): Promise<SealedRow> {
  const { dataClass, kind, schemaVersion, dueAt } = record;
  const binding = {
    recordId: canonical(record.recordId),
    subject: canonical(record.subject),
    dataClass,
    kind,
    schemaVersion,
  };
  const { slot, key } = await keyRing.take();
  const row = {
    ...binding,
    ...close(record.body, key, binding),
    slot,
    keyFingerprint: keyFingerprint(key),
    dueAt,
    sealedAt,
  };
  key.fill(0);
  return row;
}

/** Notes which keys are in use while the outcome is open, so a crash does not hide them (abandoned-keys.ts). */
async function insertNoted(pool: Database, keyRing: KeyRing, rows: readonly SealedRow[]): Promise<KeySlot[]> {
  await keyRing.markInUse(rows.map(({ slot }) => slot));
  const inserted = await insertRows(pool, rows);
  await keyRing.settle(inserted);
  return inserted;
}

/**
 * Inserts a record. If the table refused it, its key is zeroed at once: the refused copy may be in the write-ahead log,
 * beyond the reach of any later purge.
 */
async function insertOrForget(
  row: SealedRow,
  insert: (row: SealedRow) => Promise<boolean>,
  keyRing: KeyRing,
): Promise<boolean> {
  let inserted: boolean;
  try {
    inserted = await insert(row);
  } catch (error) {
    if (certainlyRefused(error)) await forget(keyRing, row.slot);
    throw error;
  }
  if (!inserted) await forget(keyRing, row.slot);
  return inserted;
}

const forget = (keyRing: KeyRing, slot: KeySlot) => keyRing.zero([slot]);

/** The server itself reported an error; after a lost connection it may have committed. */
function certainlyRefused(error: unknown): boolean {
  return error instanceof Error && "severity" in error && error.severity === "ERROR";
}

async function openRecord<T>(
  rows: RowReader,
  keyRing: KeyRing,
  recordId: string,
  schema: z.ZodType<T>,
): Promise<T> {
  const text = (await openKept(rows, keyRing, recordId)) ?? (await openRead(rows, keyRing, recordId));
  const parsed = schema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  // Paths only: the library's messages could quote personal data.
  const places = parsed.error.issues.map((issue) => issue.path.join(".") || "the whole").join(", ");
  throw new RecordUnreadable(`Record ${recordId} has another shape than requested, at ${places}.`);
}

/** Undefined where the row is not kept, or its key does not open it any more: the row as stored then says why. */
async function openKept(rows: RowReader, keyRing: KeyRing, recordId: string): Promise<string | undefined> {
  const row = rows.kept(recordId);
  return row && decrypt(keyRing, row).catch(() => undefined);
}

async function openRead(rows: RowReader, keyRing: KeyRing, recordId: string): Promise<string> {
  const row = await rows.read(recordId);
  const text = await decrypt(keyRing, row);
  rows.keep(row);
  return text;
}

async function decrypt(keyRing: KeyRing, row: LiveRow): Promise<string> {
  const key = await readKey(keyRing, row.recordId, row.slot);
  const text = tryOpen(row.envelope, key, row);
  key.fill(0);
  if (text === undefined) throw new RecordUnreadable(`Record ${row.recordId} does not match its key.`);
  return text;
}

async function readKey(keyRing: KeyRing, recordId: string, slot: KeySlot): Promise<Buffer> {
  try {
    return await keyRing.read(slot);
  } catch (cause) {
    if (!(cause instanceof KeyGone)) throw cause;
    if (cause.reason === "zeroed") throw new RecordGone(recordId, true, { cause });
    throw new RecordUnreadable(cause.message, { cause });
  }
}

type Parts = { database: Database; keyRing: KeyRing; now: () => Date };

/**
 * Zeroes the keys, proves that nothing can be opened any more, then empties the rows. A crash at any step is repaired
 * by repeating: the fingerprints for the receipt were stored when the records were sealed.
 */
async function destroyRecords(
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
