import { hash } from "node:crypto";
import { type Bytes, hashLength } from "./formats/bytes.ts";

// As verify-proofs.ts has them, but synchronous: a log has millions of leaves.

const sha256Of = (input: string | Uint8Array): Bytes => new Uint8Array(hash("sha256", input, "buffer"));

/** In UTF-8, the prefix included. */
export const leafHash = (content: string): Bytes => sha256Of(`\0${content}`);

/** Reused: a new array for each node took as long as the hash. */
const node = new Uint8Array(1 + 2 * hashLength).fill(1, 0, 1);

/** Of two hashes. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Bytes {
  node.set(left, 1);
  node.set(right, 1 + hashLength);
  return sha256Of(node);
}

/** The root of a tree without leaves. */
export const emptyRoot: Bytes = sha256Of("");

/** The root over hashes of one level, whose number is a power of two. */
export function rootOver(hashes: readonly Bytes[]): Bytes {
  const [first] = hashes;
  if (!first || !Number.isInteger(Math.log2(hashes.length)))
    throw new RangeError("The number of hashes is not a power of two.");
  if (hashes.length === 1) return first;
  const half = hashes.length / 2;
  return nodeHash(rootOver(hashes.slice(0, half)), rootOver(hashes.slice(half)));
}
