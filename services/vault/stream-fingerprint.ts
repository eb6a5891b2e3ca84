import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import type { Json } from "../../infra/json.ts";
import { type CommandRecords, type DeriveId, RecordGone, type Vault } from "./vault.ts";

const keyRecord = z.object({ key: z.base64() });

/** HMAC-SHA-256 in hex over the canonical JSON of personal input; null once the stream's key has been erased. */
type Fingerprint = (body: Json) => Promise<string | null>;

/** The record of an order's or a ticket's fingerprint key, whether or not it was ever sealed. No event names it. */
export const fingerprintKeyId = (deriveId: DeriveId, subject: string): string =>
  deriveId("fingerprint-key", subject);

type FingerprinterParts = {
  readonly vault: Vault;
  /** Of the command, where appends store its records. */
  readonly records: Pick<CommandRecords, "seal">;
  readonly deriveId: DeriveId;
  readonly subject: string;
  /** That of the contact record. */
  readonly dueAt: string;
  /** Expects that there is no key yet, which saves looking for it. */
  readonly isFirst: boolean;
};

/**
 * Compares personal input without storing it. A plain hash of a form can be guessed back, so each order or ticket has
 * its own key, sealed on first use and erased with its contact data.
 */
export function fingerprinter(parts: FingerprinterParts): Fingerprint {
  const { vault, deriveId, subject, isFirst } = parts;
  const recordId = fingerprintKeyId(deriveId, subject);
  return async (body) => {
    const found = isFirst ? "never-sealed" : await findKey(vault, recordId);
    return digest(body, found === "never-sealed" ? await firstKey(parts, recordId) : found);
  };
}

/** Uses an existing key: comparing a repeat seals nothing. Where there never was one, nothing is a repeat of this. */
export function existingFingerprint(vault: Vault, deriveId: DeriveId, subject: string): Fingerprint {
  const recordId = fingerprintKeyId(deriveId, subject);
  return async (body) => {
    const found = await findKey(vault, recordId);
    return digest(body, found === "never-sealed" ? randomBytes(32) : found);
  };
}

function digest(body: Json, key: Buffer | null): string | null {
  if (key === null) return null;
  const text = canonicalize(body);
  if (text === undefined) throw new Error("Only JSON can be fingerprinted.");
  const fingerprint = createHmac("sha256", createSecretKey(key)).update(text).digest("hex");
  key.fill(0);
  return fingerprint;
}

/** Null once it has been erased. */
async function findKey(vault: Vault, recordId: string): Promise<Buffer | null | "never-sealed"> {
  try {
    return Buffer.from((await vault.open(recordId, keyRecord)).key, "base64");
  } catch (error) {
    if (error instanceof RecordGone) return error.wasSealed ? null : "never-sealed";
    throw error;
  }
}

/** The first of several processes wins; a key that was sealed and erased before stays erased. */
async function firstKey(
  { vault, records, subject, dueAt }: FingerprinterParts,
  recordId: string,
): Promise<Buffer | null> {
  const key = randomBytes(32);
  // Sealed before the append, it stays for the next try, whatever becomes of this command.
  const { seal } = vault.recordsOfAppend ? records : vault;
  const outcome = await seal({
    recordId,
    subject,
    dataClass: "contact",
    kind: "fingerprintKey",
    schemaVersion: 1,
    body: { key: key.toString("base64") },
    dueAt,
  });
  if (outcome === "sealed") return key;
  const found = await findKey(vault, recordId);
  return found === "never-sealed" ? null : found;
}
