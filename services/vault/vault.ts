import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { uuidV5 } from "../../infra/commands/sealing.ts";
import type { CompanionRow } from "../../infra/event-store/event-store.ts";
import type { Json } from "../../infra/json.ts";

/** Personal data has two classes; each is purged as a whole, by a separate rule (docs/privacy.md). */
export type DataClass = "application" | "contact";

/**
 * Content of a record. `fingerprintKey` is the stream's key for comparing personal input; it belongs to the contact
 * class.
 */
export type RecordKind = (typeof recordKinds)[number];
export const recordKinds = [
  "application",
  "signature",
  "contact",
  "groOrderReference",
  "fingerprintKey",
  /** Name and email address of a ticket's author, and the subject. */
  "ticketContact",
  "ticketMessage",
  "ticketNote",
  /** A file that came with a message, without its name. */
  "ticketAttachment",
  /** A mail as it came. */
  "ticketOriginal",
  "orderNote",
  /** The text of a question of the GRO. */
  "groQuestion",
  /** Bank reference of a refund made by staff. */
  "bankTransfer",
  /** Answers of an unfinished order. */
  "savedDraft",
  /** Email address and key of a saved draft's link, until its mail has left. */
  "savedDraftLink",
] as const;

/**
 * `subject` is the id of the order, ticket or saved draft; `dueAt` (ISO 8601) is when the sweep must check the record,
 * null for never. A body of bytes is for `openBytes`: as base64 in JSON, 15 MB took four times as long to seal.
 */
export type RecordToSeal = {
  recordId: string;
  subject: string;
  dataClass: DataClass;
  kind: RecordKind;
  schemaVersion: number;
  body: Json | Uint8Array;
  dueAt: string;
};

/** `sealedAt` is ISO 8601. */
export type RecordSummary = Pick<RecordToSeal, "recordId" | "subject" | "dataClass" | "kind" | "dueAt"> & {
  sealedAt: string;
};

/** A sweep's claim on due records. Times are ISO 8601. */
export type DueClaim = {
  /** Records due at or before this time, oldest first, … */
  readonly now: string;
  /** … then those calculated with a longer retention than this: they are due as many days sooner. */
  readonly keptDays: number;
  /** End of the claim: then they are due again, unless rescheduled. */
  readonly until: string;
  readonly limit: number;
};

/** Next check of a record; `keptDays` if calculated from a retention setting. */
export type NextLook = Pick<RecordToSeal, "recordId" | "dueAt"> & { readonly keptDays: number | null };

/** Proof that records are gone. `keyFingerprint` is hex of SHA-256 over the erased keys' own fingerprints. */
export type DestructionReceipt = {
  recordIds: string[];
  kinds: RecordKind[];
  keyFingerprint: string;
  /** Result of reading the key slot back and trying to open each record with it. */
  probe: "unreadable";
};

/**
 * What a command seals: stored by the append that names it where log and vault share a database, otherwise before it.
 */
export type CommandRecords = {
  /** As `Vault.seal`, except that a record which the append stores counts as new: the append tells. */
  seal(record: RecordToSeal): Promise<"sealed" | "existed">;
  /** The rows that the append must take along, their keys marked as in use. */
  companions(): Promise<readonly CompanionRow[]>;
  /** Records that the append was written. */
  written(): Promise<void>;
  /** Erases what was sealed: no event names it. */
  discard(): Promise<void>;
};

/** Port for personal data. Sealing only inserts; nothing is ever changed in place. */
export interface Vault {
  /** Begins the records of a command whose append stores them. Only where the log is in the same database. */
  recordsOfAppend?(): CommandRecords;
  /**
   * Seals a record. The same record id again changes nothing and keeps the first body, even if that has been erased
   * since.
   * @returns whether it was new
   * @throws VaultBusy
   */
  seal(record: RecordToSeal): Promise<"sealed" | "existed">;
  /**
   * @throws RecordGone when it was erased or never sealed
   * @throws RecordUnreadable when row and key exist but do not match (tampering, wrong key folder)
   */
  open<T>(recordId: string, schema: z.ZodType<T>): Promise<T>;
  /** A body of bytes. @throws as `open` */
  openBytes(recordId: string): Promise<Uint8Array>;
  /**
   * Erases the keys, proves it, then empties the rows; each step can be repeated, and a repeat gives the same receipt.
   * An id that was never sealed counts as erased, and adds only its id to the receipt.
   * @throws ProbeFailed when it cannot be shown that a key is gone
   * @throws RecordUnreadable when row and key do not belong together
   */
  destroy(recordIds: readonly string[]): Promise<DestructionReceipt>;
  /** Existing records of a subject, of one class or all, in any order. */
  recordsOf(subject: string, dataClass?: DataClass): Promise<RecordSummary[]>;
  /** Claims due records, so several sweeps share the work; a sweep that dies leaves them to the others. */
  claimDue(claim: DueClaim): Promise<RecordSummary[]>;
  /** Schedules the next check of these records, and no others. */
  lookAgain(looks: readonly NextLook[]): Promise<void>;
}

/** Begins the records of a command. */
export function recordsOfCommand(vault: Vault): CommandRecords {
  if (vault.recordsOfAppend) return vault.recordsOfAppend();
  const sealed: string[] = [];
  return {
    seal: async (record) => {
      const outcome = await vault.seal(record);
      if (outcome === "sealed") sealed.push(record.recordId);
      return outcome;
    },
    companions: async () => [],
    written: async () => undefined,
    discard: async () => {
      if (sealed.length > 0) await vault.destroy(sealed);
    },
  };
}

export class RecordGone extends Error {
  override name = "RecordGone";
  /** False if it was never sealed. */
  readonly wasSealed: boolean;
  constructor(recordId: string, wasSealed: boolean, options?: ErrorOptions) {
    super(`Record ${recordId} was ${wasSealed ? "destroyed" : "never sealed"}.`, options);
    this.wasSealed = wasSealed;
  }
}
export class RecordUnreadable extends Error {
  override name = "RecordUnreadable";
}
/** A newer build sealed it, with fields that this one does not know. */
export class RecordNewer extends Error {
  override name = "RecordNewer";
}
export class ProbeFailed extends Error {
  override name = "ProbeFailed";
}
/** Too many records wait to be sealed: nothing was written, retry in a moment. */
export class VaultBusy extends Error {
  override name = "VaultBusy";
}

/** Opens a record, or returns undefined if it was never sealed or has been erased. @throws RecordUnreadable */
export async function openIfThere<T>(
  vault: Vault,
  recordId: string | null,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  return recordId === null ? undefined : unlessGone(vault.open(recordId, schema));
}

/** As `openIfThere`, for a body of bytes. */
export const bytesIfThere = async (vault: Vault, recordId: string | null): Promise<Uint8Array | undefined> =>
  recordId === null ? undefined : unlessGone(vault.openBytes(recordId));

/** What is opened, or undefined if it was never sealed or has been erased. */
export async function unlessGone<T>(opening: Promise<T>): Promise<T | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof RecordGone) return undefined;
    throw error;
  }
}

/**
 * Opens a record that is sent on, shown or replaced as a whole: without a field that this build does not know, it would
 * say something else than the person did.
 * @throws RecordNewer for such a field, and as `open`
 */
export async function openWhole<T>(vault: Vault, recordId: string, schema: z.ZodType<T>): Promise<T> {
  const sealed = await vault.open(recordId, z.json());
  const { data, error } = schema.safeParse(sealed);
  if (error) throw new RecordUnreadable(`Record ${recordId} has another shape than requested.`);
  if (!isDeepStrictEqual(data, sealed)) throw new RecordNewer(`Record ${recordId} has unknown fields.`);
  return data;
}

/** Derives ids that cannot be predicted outside this installation: name parts in, UUID out. */
export type DeriveId = (...parts: readonly string[]) => string;

/** @param secret the installation's 32 bytes named id-namespace, used in place of RFC 9562's namespace UUID */
export function idDeriver(secret: Buffer): DeriveId {
  return (...parts) => uuidV5(secret, JSON.stringify(parts));
}
