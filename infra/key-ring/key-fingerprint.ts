import { createHash } from "node:crypto";

const purpose = "certificates/key-fingerprint/1\0";

/** 128 bits of SHA-256 over a key, in hex: tells random keys apart and opens nothing. */
export function keyFingerprint(key: Buffer): string {
  return createHash("sha256").update(purpose).update(key).digest("hex").slice(0, 32);
}
