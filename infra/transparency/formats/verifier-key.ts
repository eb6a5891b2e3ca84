import { type Bytes, base64Of, bytesOf, fromBase64, hexOf, join, sha256 } from "./bytes.ts";

/** What a key signs: a note's text, or a cosignature with its time. */
export const signatureTypes = { log: 0x01, witness: 0x04 } as const;
export type SignatureType = (typeof signatureTypes)[keyof typeof signatureTypes];

/** A public Ed25519 key with its name, as C2SP signed-note has it. */
export type VerifierKey = {
  readonly name: string;
  readonly type: SignatureType;
  /** 32 bytes. */
  readonly publicKey: Bytes;
  /** 8 hexadecimal digits: distinguishes keys of one name, and proves nothing. */
  readonly id: string;
};

const publicKeyLength = 32;
const nameShape = /^[^\s+]+$/u;

/** @throws RangeError for a name with spaces or a plus, or a key that is not 32 bytes */
export async function verifierKey(name: string, type: SignatureType, publicKey: Bytes): Promise<VerifierKey> {
  if (!nameShape.test(name)) throw new RangeError("A key's name has no spaces and no plus.");
  if (publicKey.length !== publicKeyLength) throw new RangeError("An Ed25519 key has 32 bytes.");
  const hash = await sha256(bytesOf(`${name}\n`), Uint8Array.of(type), publicKey);
  return { name, type, publicKey, id: hexOf(hash.slice(0, 4)) };
}

/** `name+id+key`, as operators and auditors exchange it. */
export const formatVerifierKey = ({ name, id, type, publicKey }: VerifierKey): string =>
  `${name}+${id}+${base64Of(join(Uint8Array.of(type), publicKey))}`;

/** Undefined for anything but an Ed25519 key of a log or a witness, under its own id. */
export async function parseVerifierKey(text: string): Promise<VerifierKey | undefined> {
  const [, name = "", id, encoded = ""] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const type = Object.values(signatureTypes).find((each) => each === bytes?.[0]);
  if (bytes?.length !== 1 + publicKeyLength || type === undefined) return undefined;
  const key = await verifierKey(name, type, bytes.slice(1));
  return key.id === id ? key : undefined;
}

export async function isSignature(key: VerifierKey, message: Bytes, signature: Bytes): Promise<boolean> {
  const imported = await crypto.subtle.importKey("raw", key.publicKey, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", imported, signature, message);
}
