import { type Bytes, bytesOf, join } from "./bytes.ts";

// C2SP tlog-cosignature, version 1: a time, and a signature over it and the checkpoint.

const timeLength = 8;
const signatureLength = 64;

/** What a witness signs. @param time in seconds since 1970 */
export const cosignatureMessage = (checkpoint: string, time: number): Bytes =>
  bytesOf(`cosignature/v1\ntime ${time}\n${checkpoint}`);

export function writeCosignature(time: number, signature: Bytes): Bytes {
  const bytes = new Uint8Array(timeLength);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time));
  return join(bytes, signature);
}

/** Undefined when it has another length, or a time beyond 2^53. */
export function readCosignature(bytes: Bytes): { time: number; signature: Bytes } | undefined {
  if (bytes.length !== timeLength + signatureLength) return undefined;
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
  return Number.isSafeInteger(time) ? { time, signature: bytes.slice(timeLength) } : undefined;
}
