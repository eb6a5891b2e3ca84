import { type Bytes, isEqual, sha256 } from "./bytes.ts";

// RFC 9162, sections 2.1.3.2 and 2.1.4.2, whose names the variables have. Sizes exceed 32 bits: no bit operators.

/** A tree by its number of leaves and its root. */
export type Tree = { readonly size: number; readonly root: Bytes };

/** The hash of a leaf's content. */
export const hashOfLeaf = (content: Uint8Array): Promise<Bytes> => sha256(Uint8Array.of(0), content);

const hashOfNode = (left: Uint8Array, right: Uint8Array): Promise<Bytes> =>
  sha256(Uint8Array.of(1), left, right);

const isOdd = (number: number): boolean => number % 2 === 1;
const half = (number: number): number => Math.floor(number / 2);
const isCount = (number: number): boolean => Number.isSafeInteger(number) && number >= 0;

/** Whether the tree has this leaf at this index. `proof` is from the leaf's sibling up. */
export async function isIncluded(
  leafHash: Bytes,
  index: number,
  proof: readonly Bytes[],
  { size, root }: Tree,
): Promise<boolean> {
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  const sides = sidesOf(index, size - 1, proof.length);
  if (!sides) return false;
  let r = leafHash;
  for (const [at, hash] of proof.entries())
    r = sides[at] === "left" ? await hashOfNode(hash, r) : await hashOfNode(r, hash);
  return isEqual(r, root);
}

/** Whether the newer tree only adds leaves to the older. */
export async function isConsistent(older: Tree, newer: Tree, proof: readonly Bytes[]): Promise<boolean> {
  if (!isCount(older.size) || !isCount(newer.size) || older.size > newer.size) return false;
  if (older.size === newer.size || older.size === 0)
    return proof.length === 0 && isEqual(older.root, older.size === newer.size ? newer.root : await sha256());
  return isExtended(older, newer, proof);
}

async function isExtended(older: Tree, newer: Tree, proof: readonly Bytes[]): Promise<boolean> {
  let [fn, sn] = [older.size - 1, newer.size - 1];
  while (isOdd(fn)) [fn, sn] = [half(fn), half(sn)];
  // A whole older tree is itself the first hash.
  const [first, ...rest] = fn === 0 ? [older.root, ...proof] : proof;
  const sides = sidesOf(fn, sn, rest.length);
  if (!first || !sides) return false;
  let [fr, sr] = [first, first];
  for (const [at, hash] of rest.entries()) {
    if (sides[at] === "left") fr = await hashOfNode(hash, fr);
    sr = sides[at] === "left" ? await hashOfNode(hash, sr) : await hashOfNode(sr, hash);
  }
  return isEqual(fr, older.root) && isEqual(sr, newer.root);
}

/**
 * The side on which each hash of a proof joins the path from node `fn` to the root, where `sn` is the last node of its
 * level; undefined when the path has another length.
 */
function sidesOf(fn: number, sn: number, length: number): readonly ("left" | "right")[] | undefined {
  const sides: ("left" | "right")[] = [];
  let [node, last] = [fn, sn];
  while (last > 0) {
    // A node on the right edge has no sibling at some levels.
    const isSingle = node === last && !isOdd(node);
    if (!isSingle) sides.push(isOdd(node) ? "left" : "right");
    [node, last] = [half(node), half(last)];
  }
  return sides.length === length ? sides : undefined;
}
