import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from "node:crypto";
import { z } from "zod";
import type { CompanionRow } from "../../infra/event-store/event-store.ts";
import { arraysOf, type CompanionTable, namesOf } from "../../infra/event-store/postgres/companions.ts";
import type { Json } from "../../infra/json.ts";
import type { KeySlot } from "../../infra/key-ring/key-ring.ts";
import { type DataClass, RecordGone, type RecordSummary, type RecordToSeal, recordKinds } from "./vault.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Identity bound to a ciphertext: it opens only as this record, of this subject and class. */
type Binding = Pick<RecordToSeal, "recordId" | "subject" | "dataClass" | "kind" | "schemaVersion">;

/** `ciphertext` ends with the authentication tag. */
export type Envelope = { nonce: Buffer; ciphertext: Buffer };

/**
 * Encrypts a body, bytes or JSON, under a 32-byte key used for nothing else. Node takes 15 µs longer for a key that
 * comes as bytes than as a `KeyObject`.
 */
export function close(body: Json | Uint8Array, key: Buffer, binding: Binding): Envelope {
  const nonce = freshNonce();
  const cipher = createCipheriv(algorithm, createSecretKey(key), nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(binding));
  const given = body instanceof Uint8Array;
  const plain = given ? body : Buffer.from(JSON.stringify(body));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  if (!given) plain.fill(0);
  return { nonce, ciphertext };
}

const noncesAtOnce = 256;
let nonces = Buffer.alloc(0);

/** Drawn many at a time: one alone takes 2 µs, as long as encrypting a short body. */
function freshNonce(): Buffer {
  if (nonces.length === 0) nonces = randomBytes(noncesAtOnce * nonceBytes);
  const nonce = nonces.subarray(0, nonceBytes);
  nonces = nonces.subarray(nonceBytes);
  return nonce;
}

/** The body, as bytes or JSON text, or undefined when key, envelope and binding do not belong together. */
export function tryOpen(envelope: Envelope, key: Buffer, binding: Binding): Buffer | undefined {
  const { nonce, ciphertext } = envelope;
  if (nonce.length !== nonceBytes || ciphertext.length < tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, createSecretKey(key), nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData(binding));
  decipher.setAuthTag(ciphertext.subarray(-tagBytes));
  const plain = decipher.update(ciphertext.subarray(0, -tagBytes));
  try {
    decipher.final();
  } catch {
    plain.fill(0);
    return undefined; // The only possible failure: a tag mismatch.
  }
  return plain;
}

/** JSON separates the fields, so no two bindings have the same bytes. */
function associatedData({ recordId, subject, dataClass, kind, schemaVersion }: Binding): Buffer {
  return Buffer.from(JSON.stringify(["vault-record", 1, recordId, subject, dataClass, kind, schemaVersion]));
}

export type Database = {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
};

export type SealedRow = Binding &
  Envelope & { slot: KeySlot; keyFingerprint: string; dueAt: string; sealedAt: Date };

/** A stored record; without an envelope it is a tombstone. A large one is read alone, by `envelopeOf`. */
export type VaultRow = Binding & {
  slot: KeySlot;
  keyFingerprint: string;
  envelope: Envelope | "large" | undefined;
};

const summaryShape = {
  record_id: z.uuid(),
  subject: z.uuid(),
  data_class: z.enum(["application", "contact"]),
  kind: z.enum(recordKinds),
};
export const summaryColumns = "record_id, subject, data_class, kind, due_at, sealed_at";
const summary = z.object({ ...summaryShape, due_at: z.date(), sealed_at: z.date() }).transform(
  (row): RecordSummary => ({
    recordId: row.record_id,
    subject: row.subject,
    dataClass: row.data_class,
    kind: row.kind,
    dueAt: row.due_at.toISOString(),
    sealedAt: row.sealed_at.toISOString(),
  }),
);
export const summariesIn = (rows: unknown[]): RecordSummary[] => z.array(summary).parse(rows);

const wholeRow = z
  .object({
    ...summaryShape,
    schema_version: z.int(),
    key_segment: z.string(),
    key_slot: z.int(),
    key_fingerprint: z.string(),
    nonce: z.instanceof(Buffer).nullable(),
    ciphertext: z.instanceof(Buffer).nullable(),
  })
  .transform(
    (row): VaultRow => ({
      recordId: row.record_id,
      subject: row.subject,
      dataClass: row.data_class,
      kind: row.kind,
      schemaVersion: row.schema_version,
      slot: { segment: row.key_segment, slot: row.key_slot },
      keyFingerprint: row.key_fingerprint,
      envelope: row.nonce
        ? row.ciphertext
          ? { nonce: row.nonce, ciphertext: row.ciphertext }
          : "large"
        : undefined,
    }),
  );
const slotRows = z.array(
  z
    .object({ key_segment: z.string(), key_slot: z.int() })
    .transform((row): KeySlot => ({ segment: row.key_segment, slot: row.key_slot })),
);
const slotsOf = (rows: unknown[]): KeySlot[] => slotRows.parse(rows);

/** The table of the records, for those that appends take along. */
export const vaultTable: CompanionTable = {
  name: "vault_records",
  columns: [
    ["record_id", "uuid"],
    ["subject", "uuid"],
    ["data_class", "text"],
    ["kind", "text"],
    ["schema_version", "integer"],
    ["key_segment", "text"],
    ["key_slot", "integer"],
    ["key_fingerprint", "text"],
    ["nonce", "bytea"],
    ["ciphertext", "bytea"],
    ["due_at", "timestamptz"],
    ["sealed_at", "timestamptz"],
  ],
};

/** A record as a row of its table. */
export const valuesOf = (row: SealedRow): CompanionRow => [
  row.recordId,
  row.subject,
  row.dataClass,
  row.kind,
  row.schemaVersion,
  row.slot.segment,
  row.slot.slot,
  row.keyFingerprint,
  row.nonce,
  row.ciphertext,
  row.dueAt,
  row.sealedAt.toISOString(),
];

const insertText = `
  insert into ${vaultTable.name} (${namesOf(vaultTable)}) select * from unnest(${arraysOf(vaultTable, 1)})
  on conflict (record_id) do nothing
  returning key_segment, key_slot`;

/** Inserts records with new ids. @returns the key slots of those inserted */
export async function insertRows(database: Database, rows: readonly SealedRow[]): Promise<KeySlot[]> {
  const all = rows.map(valuesOf);
  const values = vaultTable.columns.map((_column, nth) => all.map((row) => row[nth]));
  const result = await database.query({ name: "vault-insert", text: insertText, values });
  return slotsOf(result.rows);
}

/** Larger ciphertexts, in bytes, are never in memory together: a conversation may have hundreds of mails of 15 MB. */
const largeFrom = 65_536;

/** The records of these ids, tombstones included, ordered by id. */
export async function rowsOf(database: Database, recordIds: readonly string[]): Promise<VaultRow[]> {
  const result = await database.query({
    name: "vault-rows",
    text: `select record_id, subject, data_class, kind, schema_version, key_segment, key_slot, key_fingerprint, nonce,
             case when octet_length(ciphertext) < $2 then ciphertext end as ciphertext
           from vault_records where record_id = any($1::uuid[]) order by record_id`,
    values: [recordIds, largeFrom],
  });
  return z.array(wholeRow).parse(result.rows);
}

const envelopes = z.array(z.object({ nonce: z.instanceof(Buffer), ciphertext: z.instanceof(Buffer) }));

/** A record's envelope; undefined when it was emptied meanwhile. */
export async function envelopeOf(
  database: Database,
  { recordId, envelope }: LiveRow,
): Promise<Envelope | undefined> {
  if (envelope !== "large") return envelope;
  const { rows } = await database.query({
    name: "vault-envelope",
    text: "select nonce, ciphertext from vault_records where record_id = $1 and ciphertext is not null",
    values: [recordId],
  });
  return envelopes.parse(rows)[0];
}

/** A record that was not erased. */
export type LiveRow = VaultRow & { readonly envelope: Envelope | "large" };

/** Reads rows to open: those asked for together with one statement, and again from memory for a few seconds. */
export type RowReader = {
  /** @throws RecordGone */
  read(recordId: string): Promise<LiveRow>;
  /** What `keep` kept a moment ago. Only the key, read anew, says whether the record still exists. */
  kept(recordId: string): LiveRow | undefined;
  keep(row: LiveRow): void;
  drop(recordIds: readonly string[]): void;
};

/** A visit opens the same contact for two mails, the submission and the index. */
const keptForMs = 5_000;
const mostKept = 1_000;
const mostRead = 256;

type WaitingRead = { readonly recordId: string; readonly outcome: PromiseWithResolvers<LiveRow> };

export function createRowReader(database: Database, now: () => Date): RowReader {
  /** In the order of their times. */
  const kept = new Map<string, { readonly row: LiveRow; readonly untilMs: number }>();
  let waiting: WaitingRead[] = [];

  function dropOld(nowMs: number): void {
    for (const [recordId, { untilMs }] of kept) {
      if (untilMs > nowMs && kept.size <= mostKept) break;
      kept.delete(recordId);
    }
  }

  async function readWaiting(): Promise<void> {
    // One turn of the loop gathers what is asked for together.
    await new Promise((gathered) => setImmediate(gathered));
    const asked = waiting;
    waiting = [];
    while (asked.length > 0) void readTogether(database, asked.splice(0, mostRead));
  }

  return {
    read(recordId) {
      const outcome = Promise.withResolvers<LiveRow>();
      waiting.push({ recordId, outcome });
      if (waiting.length === 1) void readWaiting();
      return outcome.promise;
    },
    kept(recordId) {
      dropOld(now().getTime());
      return kept.get(recordId)?.row;
    },
    keep(row) {
      if (row.envelope === "large") return;
      const nowMs = now().getTime();
      kept.delete(row.recordId);
      kept.set(row.recordId, { row, untilMs: nowMs + keptForMs });
      dropOld(nowMs);
    },
    drop(recordIds) {
      for (const recordId of recordIds) kept.delete(recordId);
    },
  };
}

/** Never throws: each gets its own outcome. */
async function readTogether(database: Database, asked: readonly WaitingRead[]): Promise<void> {
  try {
    const rows = await rowsOf(database, [...new Set(asked.map(({ recordId }) => recordId))]);
    const found = new Map(rows.map((row) => [row.recordId, row]));
    for (const { recordId, outcome } of asked) {
      const row = found.get(recordId);
      if (row?.envelope) outcome.resolve({ ...row, envelope: row.envelope });
      else outcome.reject(new RecordGone(recordId, row !== undefined));
    }
  } catch (error) {
    // One refused id must not fail the others.
    if (asked.length > 1) for (const one of asked) await readTogether(database, [one]);
    else for (const { outcome } of asked) outcome.reject(error);
  }
}

/** Those of the key slots that any record, erased or not, has ever used. */
export async function slotsInUse(database: Database, slots: readonly KeySlot[]): Promise<KeySlot[]> {
  const result = await database.query({
    name: "vault-slots-in-use",
    text: `select key_segment, key_slot from vault_records
           where (key_segment, key_slot) in (select * from unnest($1::text[], $2::int[]))`,
    values: [slots.map(({ segment }) => segment), slots.map(({ slot }) => slot)],
  });
  return slotsOf(result.rows);
}

/**
 * Empties the rows of erased records, and removes them from the blind index; the tombstone left holds no personal data
 * and cannot be found. Does not wait for the disk: the keys are gone already, the receipt's append takes this along,
 * and where the log is elsewhere the sweep finds a row that a crash of the server left.
 */
export async function buryRows(database: Database, recordIds: readonly string[], at: Date): Promise<void> {
  await database.query({
    name: "vault-bury",
    text: `select bury_vault_records($1::uuid[], $2)
           from (select set_config('synchronous_commit', 'off', true)) as quick`,
    values: [recordIds, at],
  });
}

export async function summariesOf(
  database: Database,
  subject: string,
  dataClass: DataClass | undefined,
): Promise<RecordSummary[]> {
  const result = await database.query({
    name: "vault-of-subject",
    text: `select ${summaryColumns} from vault_records
           where subject = $1 and ($2::text is null or data_class = $2) and destroyed_at is null
           order by sealed_at, record_id`,
    values: [subject, dataClass ?? null],
  });
  return summariesIn(result.rows);
}
