import { hash } from "node:crypto";
import { type Bytes, bytesOf, join } from "./formats/bytes.ts";

// As verify-proofs.ts has them, but synchronous: a log has millions of leaves.

const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

const sha256Of = (...parts: readonly Uint8Array[]): Bytes =>
  new Uint8Array(hash("sha256", join(...parts), "buffer"));

export const leafHash = (content: string): Bytes => sha256Of(leafPrefix, bytesOf(content));

export const nodeHash = (left: Uint8Array, right: Uint8Array): Bytes => sha256Of(nodePrefix, left, right);

/** The root of a tree without leaves. */
export const emptyRoot: Bytes = sha256Of();

/** The root over hashes of one level, whose number is a power of two. */
export function rootOver(hashes: readonly Bytes[]): Bytes {
  const [first] = hashes;
  if (!first || !Number.isInteger(Math.log2(hashes.length)))
    throw new RangeError("The number of hashes is not a power of two.");
  if (hashes.length === 1) return first;
  const half = hashes.length / 2;
  return nodeHash(rootOver(hashes.slice(0, half)), rootOver(hashes.slice(half)));
}
