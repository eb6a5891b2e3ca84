/** Never on shared memory, which WebCrypto refuses. */
export type Bytes = Uint8Array<ArrayBuffer>;

export const hashLength = 32;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const bytesOf = (text: string): Bytes => new Uint8Array(encoder.encode(text));

/** @throws TypeError when they are not UTF-8 */
export const textOf = (bytes: Bytes): string => decoder.decode(bytes);

export function join(...parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export function base64Of(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Standard base64 with padding, in its one canonical form; undefined for anything else. */
export function fromBase64(text: string): Bytes | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return base64Of(bytes) === text ? bytes : undefined;
}

/** A hash of 32 bytes in base64; undefined for anything else. */
export function hashFromBase64(text: string): Bytes | undefined {
  const bytes = fromBase64(text);
  return bytes?.length === hashLength ? bytes : undefined;
}

/** A number without sign or leading zeros, up to 2^53 - 1; undefined for anything else. */
export function fromDecimal(text: string): number | undefined {
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
}

export const sha256 = async (...parts: readonly Uint8Array[]): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", join(...parts)));
