import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import type { Json } from "../../infra/json.ts";
import { type DeriveId, RecordGone, type Vault } from "./vault.ts";

const keyRecord = z.object({ key: z.base64() });

/** HMAC-SHA-256 in hex over the canonical JSON of personal input; null once the stream's key has been erased. */
type Fingerprint = (body: Json) => Promise<string | null>;

/** The record of an order's or a ticket's fingerprint key, whether or not it was ever sealed. No event names it. */
export const fingerprintKeyId = (deriveId: DeriveId, subject: string): string =>
  deriveId("fingerprint-key", subject);

/**
 * Compares personal input without storing it. A plain hash of a form can be guessed back, so each order or ticket has
 * its own key, sealed on first use and erased with its contact data.
 * @param dueAt that of the contact record
 */
export function fingerprinter(vault: Vault, deriveId: DeriveId, subject: string, dueAt: string): Fingerprint {
  const recordId = fingerprintKeyId(deriveId, subject);
  return async (body) =>
    digest(body, (await existingKey(vault, recordId)) ?? (await firstKey(vault, recordId, subject, dueAt)));
}

/** Uses an existing key: comparing a repeat seals nothing. */
export function existingFingerprint(vault: Vault, deriveId: DeriveId, subject: string): Fingerprint {
  const recordId = fingerprintKeyId(deriveId, subject);
  return async (body) => digest(body, await existingKey(vault, recordId));
}

function digest(body: Json, key: Buffer | null): string | null {
  if (key === null) return null;
  const text = canonicalize(body);
  if (text === undefined) throw new Error("Only JSON can be fingerprinted.");
  const fingerprint = createHmac("sha256", createSecretKey(key)).update(text).digest("hex");
  key.fill(0);
  return fingerprint;
}

async function existingKey(vault: Vault, recordId: string): Promise<Buffer | null> {
  try {
    return Buffer.from((await vault.open(recordId, keyRecord)).key, "base64");
  } catch (error) {
    if (error instanceof RecordGone) return null;
    throw error;
  }
}

/** The first of several processes wins; a key that was sealed and erased before stays erased. */
async function firstKey(
  vault: Vault,
  recordId: string,
  subject: string,
  dueAt: string,
): Promise<Buffer | null> {
  const key = randomBytes(32);
  const outcome = await vault.seal({
    recordId,
    subject,
    dataClass: "contact",
    kind: "fingerprintKey",
    schemaVersion: 1,
    body: { key: key.toString("base64") },
    dueAt,
  });
  return outcome === "sealed" ? key : existingKey(vault, recordId);
}
