import { hash } from "node:crypto";
import { type Bytes, hashLength } from "./formats/bytes.ts";

// As verify-proofs.ts has them, but synchronous: a log has millions of leaves.

/** As text of one character a byte: an array for each hash took longer than the hash. */
const sha256Of = (input: string | Uint8Array): string => hash("sha256", input, "binary");

const bytesOf = (hashed: string): Bytes => new Uint8Array(Buffer.from(hashed, "latin1"));

/** In UTF-8, the prefix included. */
export const leafHash = (content: string): Bytes => bytesOf(sha256Of(`\0${content}`));

/** The hashes of leaves, one after the other. */
export function leafHashes(contents: readonly string[]): Bytes {
  const hashes = Buffer.alloc(contents.length * hashLength);
  for (const [nth, content] of contents.entries())
    hashes.write(sha256Of(`\0${content}`), nth * hashLength, "latin1");
  return hashes;
}

/** Of two hashes. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Bytes {
  node.set(left, 1);
  node.set(right, 1 + hashLength);
  return bytesOf(sha256Of(node));
}

/** Reused, with the prefix of a node. */
const node = Buffer.alloc(1 + 2 * hashLength).fill(1, 0, 1);

/** The root of a tree without leaves. */
export const emptyRoot: Bytes = bytesOf(sha256Of(""));

/**
 * The root over hashes of one level, one after the other.
 * @throws RangeError when their number is not a power of two
 */
export function rootOver(hashes: Bytes): Bytes {
  if (!Number.isInteger(Math.log2(hashes.length / hashLength)))
    throw new RangeError("The number of hashes is not a power of two.");
  const row = Buffer.from(hashes);
  for (let { length } = row; length > hashLength; length /= 2) {
    for (let at = 0; at < length; at += 2 * hashLength) {
      row.copy(node, 1, at, at + 2 * hashLength);
      row.write(sha256Of(node), at / 2, "latin1");
    }
  }
  return new Uint8Array(row.subarray(0, hashLength));
}
