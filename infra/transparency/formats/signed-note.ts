import { type Bytes, base64Of, bytesOf, fromBase64, hexOf, join } from "./bytes.ts";
import { cosignatureMessage, readCosignature, writeCosignature } from "./cosignature.ts";
import { isSignature, signatureTypes, type VerifierKey } from "./verifier-key.ts";

// C2SP signed-note: a text, an empty line, and a line for each signature.

type NoteSignature = {
  readonly name: string;
  /** 8 hexadecimal digits. */
  readonly keyId: string;
  /** Without the key id. */
  readonly signature: Bytes;
};

/** `text` ends in a line feed. */
export type SignedNote = { readonly text: string; readonly signatures: readonly NoteSignature[] };

/** A note that is malformed, or that a known key did not sign as it says. */
export class NoteRefused extends Error {
  override name = "NoteRefused";
}

/** Signs the bytes with Ed25519. */
export type NoteSigner = { readonly key: VerifierKey; readonly sign: (message: Bytes) => Promise<Bytes> };

/** A verified signature. `time` is that of a cosignature, in seconds since 1970. */
export type NoteSignedBy = { readonly key: VerifierKey; readonly time: number | null };

const mostCharacters = 64 * 1024;
const mostSignatures = 100;
const dash = "\u2014";
const signatureLine = new RegExp(`^${dash} ([^\\s+]+) ([A-Za-z0-9+/=]+)$`, "u");
// Other control characters could hide a part of the text.
const textShape = /^[^\p{Cc}\uFFFD\uD800-\uDFFF]*$/u;

export const formatNote = ({ text, signatures }: SignedNote): string =>
  `${text}\n${signatures.map(formatSignature).join("")}`;

export const formatSignature = ({ name, keyId, signature }: NoteSignature): string =>
  `${dash} ${name} ${base64Of(join(bytesOfHex(keyId), signature))}\n`;

/** @throws NoteRefused when it is malformed or too long */
export function parseNote(note: string): SignedNote {
  if (note.length > mostCharacters) throw new NoteRefused("The note is too long.");
  const end = note.lastIndexOf("\n\n");
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2);
  if (end < 1 || !text.split("\n").every((line) => textShape.test(line)))
    throw new NoteRefused("The note has no text.");
  return { text, signatures: parseSignatures(lines) };
}

/** Signature lines, each with its line feed. @throws NoteRefused */
export function parseSignatures(lines: string): NoteSignature[] {
  if (!lines.endsWith("\n")) throw new NoteRefused("The note's last line is incomplete.");
  const each = lines.slice(0, -1).split("\n");
  if (each.length > mostSignatures) throw new NoteRefused("The note has too many signatures.");
  return each.map(parseSignature);
}

function parseSignature(line: string): NoteSignature {
  const [, name, encoded = ""] = signatureLine.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (name === undefined || !bytes || bytes.length < 5) throw new NoteRefused("A signature is malformed.");
  return { name, keyId: hexOf(bytes.slice(0, 4)), signature: bytes.slice(4) };
}

/**
 * The signatures of known keys, each verified; those of others are ignored.
 * @throws NoteRefused when one of them is wrong
 */
export async function verifyNote(note: SignedNote, known: readonly VerifierKey[]): Promise<NoteSignedBy[]> {
  const signedBy: NoteSignedBy[] = [];
  for (const { name, keyId, signature } of note.signatures) {
    const key = known.find((each) => each.name === name && each.id === keyId);
    if (!key || signedBy.some((each) => each.key === key)) continue;
    const signed = await verifySignature(key, note.text, signature);
    if (!signed) throw new NoteRefused(`The signature of ${name} is wrong.`);
    signedBy.push(signed);
  }
  return signedBy;
}

async function verifySignature(
  key: VerifierKey,
  text: string,
  signature: Bytes,
): Promise<NoteSignedBy | undefined> {
  if (key.type === signatureTypes.log)
    return (await isSignature(key, bytesOf(text), signature)) ? { key, time: null } : undefined;
  const read = readCosignature(signature);
  if (!read) return undefined;
  const message = cosignatureMessage(text, read.time);
  return (await isSignature(key, message, read.signature)) ? { key, time: read.time } : undefined;
}

/** Signs a note as a log does. */
export async function signNote(text: string, { key, sign }: NoteSigner): Promise<NoteSignature> {
  return { name: key.name, keyId: key.id, signature: await sign(bytesOf(text)) };
}

/** Signs a checkpoint as a witness does. @param time in seconds since 1970 */
export async function cosign(text: string, time: number, { key, sign }: NoteSigner): Promise<NoteSignature> {
  const signature = writeCosignature(time, await sign(cosignatureMessage(text, time)));
  return { name: key.name, keyId: key.id, signature };
}

const bytesOfHex = (hex: string): Bytes =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
