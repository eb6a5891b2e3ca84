import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Json } from "../../infra/json.ts";
import type { RecordToSeal } from "./vault.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Identity bound to a ciphertext: it opens only as this record, of this subject and class. */
export type Binding = Pick<RecordToSeal, "recordId" | "subject" | "dataClass" | "kind" | "schemaVersion">;

/** `ciphertext` ends with the authentication tag. */
export type Envelope = { nonce: Buffer; ciphertext: Buffer };

/** Encrypts a body as JSON under a 32-byte key used for nothing else. */
export function close(body: Json, key: Buffer, binding: Binding): Envelope {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(binding));
  const plain = Buffer.from(JSON.stringify(body));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  plain.fill(0);
  return { nonce, ciphertext };
}

/** The JSON text of the body, or undefined when key, envelope and binding do not belong together. */
export function tryOpen(envelope: Envelope, key: Buffer, binding: Binding): string | undefined {
  const { nonce, ciphertext } = envelope;
  if (nonce.length !== nonceBytes || ciphertext.length < tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData(binding));
  decipher.setAuthTag(ciphertext.subarray(-tagBytes));
  const plain = decipher.update(ciphertext.subarray(0, -tagBytes));
  try {
    decipher.final();
  } catch {
    plain.fill(0);
    return undefined; // The only possible failure: a tag mismatch.
  }
  const text = plain.toString("utf8");
  plain.fill(0);
  return text;
}

/** JSON separates the fields, so no two bindings have the same bytes. */
function associatedData({ recordId, subject, dataClass, kind, schemaVersion }: Binding): Buffer {
  return Buffer.from(JSON.stringify(["vault-record", 1, recordId, subject, dataClass, kind, schemaVersion]));
}
