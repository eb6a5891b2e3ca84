import type { z } from "zod";
import type { Json } from "../../infra/json.ts";

/** Personal data falls into two classes; each is destroyed as a whole, by its own rule (docs/privacy.md). */
export type DataClass = "application" | "contact";

/**
 * What a record holds. `fingerprintKey` is the stream's own key for comparing what a person typed: it belongs to the
 * contact class and dies with it.
 */
export type RecordKind = (typeof recordKinds)[number];
export const recordKinds = [
  "application",
  "signature",
  "contact",
  "groOrderReference",
  "fingerprintKey",
  /** Who opened a ticket, and what they called it. */
  "ticketContact",
  "ticketMessage",
  "ticketNote",
  /** What staff noted about an order. */
  "orderNote",
  /** What the bank calls a transfer by which staff gave money back. */
  "bankTransfer",
] as const;

/** `subject` is the order's or the ticket's id; `dueAt` (ISO 8601) is when the sweep must look at the record, null for never by itself. */
export type RecordToSeal = {
  recordId: string;
  subject: string;
  dataClass: DataClass;
  kind: RecordKind;
  schemaVersion: number;
  body: Json;
  dueAt: string;
};

/** `sealedAt` is ISO 8601. */
export type RecordSummary = Pick<RecordToSeal, "recordId" | "subject" | "dataClass" | "kind" | "dueAt"> & {
  sealedAt: string;
};

/** Records that are to be looked at, for one of several sweeps. Moments are ISO 8601. */
export type DueClaim = {
  /** Those due at this moment or before, the oldest first… */
  readonly now: string;
  /** …then those whose time was reckoned with a longer time of keeping than this: they are due as many days sooner. */
  readonly keptDays: number;
  /** Until then no other sweep gets them; then they are due again, unless they were given another time. */
  readonly until: string;
  readonly limit: number;
};

/** When the sweep must look at a record again; `keptDays` where that was reckoned with a setting's time of keeping. */
export type NextLook = Pick<RecordToSeal, "recordId" | "dueAt"> & { readonly keptDays: number | null };

/** Proof that records are gone. `keyFingerprint` is hex of SHA-256 over the destroyed keys' own fingerprints. */
export type DestructionReceipt = {
  recordIds: string[];
  kinds: RecordKind[];
  keyFingerprint: string;
  /** Result of reading the key slot back and trying to open each record with it. */
  probe: "unreadable";
};

/** The port of personal data. Sealing only inserts; nothing is ever changed in place. */
export interface Vault {
  /**
   * Seals; the same record id again changes nothing and keeps the first body, even when that has been destroyed since.
   * Answers whether it was new. @throws VaultBusy
   */
  seal(record: RecordToSeal): Promise<"sealed" | "existed">;
  /**
   * @throws RecordGone when it was destroyed or never sealed
   * @throws RecordUnreadable when row and key are there but do not fit (tampering, wrong key folder)
   */
  open<T>(recordId: string, schema: z.ZodType<T>): Promise<T>;
  /**
   * Destroys the keys, proves it, then empties the rows; each step may be repeated, and a repeat gives the same receipt. An id
   * that was never sealed counts as destroyed, and adds nothing but its id to the receipt.
   * @throws ProbeFailed when it cannot be shown that a key is gone; RecordUnreadable when row and key do not belong together
   */
  destroy(recordIds: readonly string[]): Promise<DestructionReceipt>;
  /** Records of a subject that still exist, of one class or all. */
  recordsOf(subject: string, dataClass?: DataClass): Promise<RecordSummary[]>;
  /** Takes records that are due, so that several sweeps share the work; one that dies leaves them to the others. */
  claimDue(claim: DueClaim): Promise<RecordSummary[]>;
  /** Sets when these records are due next, and no others. */
  lookAgain(looks: readonly NextLook[]): Promise<void>;
}

export class RecordGone extends Error {
  override name = "RecordGone";
}
export class RecordUnreadable extends Error {
  override name = "RecordUnreadable";
}
export class ProbeFailed extends Error {
  override name = "ProbeFailed";
}
/** Too much waits to be sealed already: nothing was written, try again in a moment. */
export class VaultBusy extends Error {
  override name = "VaultBusy";
}

/** Opens a record, or answers undefined when there is none to open: never sealed, or destroyed since. @throws RecordUnreadable */
export async function openIfThere<T>(
  vault: Vault,
  recordId: string | null,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  if (recordId === null) return undefined;
  try {
    return await vault.open(recordId, schema);
  } catch (error) {
    if (error instanceof RecordGone) return undefined;
    throw error;
  }
}
