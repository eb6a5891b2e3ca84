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
  type Envelope,
  envelopeOf,
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
  const reading = { rows, keyRing, database: pool };
  return {
    ...(storedByAppends && { recordsOfAppend: () => recordsOfAppend(parts) }),
    seal: async (record) => {
      const row = await encrypt(record, keyRing, now());
      const inserted = await insertOrForget(row, insert, keyRing);
      return inserted ? "sealed" : "existed";
    },
    open: async (recordId, schema) => parsedAs(schema, recordId, await bodyOf(reading, canonical(recordId))),
    openBytes: (recordId) => bodyOf(reading, canonical(recordId)),
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

type Reading = { rows: RowReader; keyRing: KeyRing; database: Database };

function parsedAs<T>(schema: z.ZodType<T>, recordId: string, body: Buffer): T {
  const parsed = schema.safeParse(jsonIn(body, recordId));
  if (parsed.success) return parsed.data;
  // Paths only: the library's messages could quote personal data.
  const places = parsed.error.issues.map((issue) => issue.path.join(".") || "the whole").join(", ");
  throw new RecordUnreadable(`Record ${recordId} has another shape than requested, at ${places}.`);
}

function jsonIn(body: Buffer, recordId: string): unknown {
  const text = body.toString("utf8");
  body.fill(0);
  try {
    return JSON.parse(text);
  } catch {
    // The error would quote the body.
    throw new RecordUnreadable(`Record ${recordId} is not JSON.`);
  }
}

async function bodyOf(reading: Reading, recordId: string): Promise<Buffer> {
  return (await openKept(reading, recordId)) ?? (await openRead(reading, recordId));
}

/** Undefined where the row is not kept, or its key does not open it any more: the row as stored then says why. */
async function openKept(reading: Reading, recordId: string): Promise<Buffer | undefined> {
  const row = reading.rows.kept(recordId);
  return row && decrypt(reading, row).catch(() => undefined);
}

async function openRead(reading: Reading, recordId: string): Promise<Buffer> {
  const row = await reading.rows.read(recordId);
  const body = await decrypt(reading, row);
  reading.rows.keep(row);
  return body;
}

async function decrypt({ keyRing, database }: Reading, row: LiveRow): Promise<Buffer> {
  const envelope = await envelopeOf(database, row);
  if (!envelope) throw new RecordGone(row.recordId, true);
  const key = await readKey(keyRing, row.recordId, row.slot);
  const body = tryOpen(envelope, key, row);
  key.fill(0);
  if (body === undefined) throw new RecordUnreadable(`Record ${row.recordId} does not match its key.`);
  return body;
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
  for (const row of live) await probe(keyRing, row, await envelopeOf(database, row));
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
async function probe(keyRing: KeyRing, row: LiveRow, envelope: Envelope | undefined): Promise<void> {
  const found = await keyRing.probe(row.slot);
  const opens = found.some(
    (bytes) =>
      bytes.some((byte) => byte !== 0) ||
      (envelope !== undefined && tryOpen(envelope, bytes, row) !== undefined),
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
