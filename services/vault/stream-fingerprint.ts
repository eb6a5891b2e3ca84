import { createHmac, randomBytes } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import type { Json } from "../../infra/json.ts";
import type { DeriveId } from "./record-ids.ts";
import { RecordGone, type Vault } from "./vault.ts";

const keyRecord = z.object({ key: z.base64() });

/** HMAC-SHA-256 in hex over the canonical JSON of what a person typed; null once the stream's key has been destroyed. */
export type Fingerprint = (body: Json) => Promise<string | null>;

/** The record that holds an order's or a ticket's own key, whether or not it was ever sealed. No event names it. */
export const fingerprintKeyId = (deriveId: DeriveId, subject: string): string =>
  deriveId("fingerprint-key", subject);

/**
 * Compares what a person typed without keeping it: a plain hash of a form can be guessed back into the form, so each order
 * or ticket has a key of its own, sealed on first use and destroyed with its contact data. `dueAt` is that of the contact record.
 */
export function fingerprinter(vault: Vault, deriveId: DeriveId, subject: string, dueAt: string): Fingerprint {
  const recordId = fingerprintKeyId(deriveId, subject);
  return async (body) =>
    digest(body, (await existingKey(vault, recordId)) ?? (await firstKey(vault, recordId, subject, dueAt)));
}

/** The same under a key that is there already: comparing a repeat seals nothing. */
export function existingFingerprint(vault: Vault, deriveId: DeriveId, subject: string): Fingerprint {
  const recordId = fingerprintKeyId(deriveId, subject);
  return async (body) => digest(body, await existingKey(vault, recordId));
}

function digest(body: Json, key: Buffer | null): string | null {
  if (key === null) return null;
  const text = canonicalize(body);
  if (text === undefined) throw new Error("Only JSON can be fingerprinted.");
  const fingerprint = createHmac("sha256", key).update(text).digest("hex");
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

/** Of several processes that seal at once the first wins; one that was sealed and destroyed before stays destroyed. */
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
