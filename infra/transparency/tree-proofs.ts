import type { Bytes } from "./formats/bytes.ts";
import { hashesIn, type TilePlace, tileWidth } from "./formats/tiles.ts";
import { emptyRoot, nodeHash, rootOver } from "./tree-hashes.ts";

/** Leaves from `from` up to but not including `to`: a subtree of RFC 6962, 2.1. */
type Range = { readonly from: number; readonly to: number };

/** A complete subtree within one tile: the hash over `count` of the tile's hashes, from `first`. */
type Part = { readonly tile: TilePlace; readonly first: number; readonly count: number };

/** Reads tiles, at least as wide as the tree makes them, in the order of their places. */
export type ReadTiles = (places: readonly TilePlace[]) => Promise<readonly Bytes[]>;

/** The root of the first `size` leaves. */
export async function rootAt(size: number, read: ReadTiles): Promise<Bytes> {
  const [root = emptyRoot] = await hashesOf(size === 0 ? [] : [{ from: 0, to: size }], read);
  return root;
}

/** Proves a leaf's inclusion in the first `size` leaves, from its sibling up (RFC 6962, 2.1.1). */
export async function proveInclusion(index: number, size: number, read: ReadTiles): Promise<Bytes[]> {
  if (index < 0 || index >= size) throw new RangeError(`A tree of ${size} leaves has no leaf ${index}.`);
  const proof: Range[] = [];
  let range: Range = { from: 0, to: size };
  while (range.to - range.from > 1) {
    const [left, right] = split(range);
    const isLeft = index < right.from;
    proof.push(isLeft ? right : left);
    range = isLeft ? left : right;
  }
  return hashesOf(proof.toReversed(), read);
}

/** Proves that the first `newer` leaves begin with the first `older` (RFC 6962, 2.1.2). */
export async function proveConsistency(older: number, newer: number, read: ReadTiles): Promise<Bytes[]> {
  if (older < 0 || older > newer)
    throw new RangeError(`A tree of ${newer} leaves does not extend one of ${older}.`);
  if (older === 0 || older === newer) return [];
  const proof: Range[] = [];
  let range: Range = { from: 0, to: newer };
  while (range.to !== older) {
    const [left, right] = split(range);
    const isLeft = older <= right.from;
    proof.push(isLeft ? right : left);
    range = isLeft ? left : right;
  }
  // The older root itself is known to the verifier.
  if (range.from !== 0) proof.push(range);
  return hashesOf(proof.toReversed(), read);
}

/** The left part has the largest power of two that leaves something for the right one. */
function split({ from, to }: Range): [Range, Range] {
  const middle = from + largestPower(to - from - 1);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

/** The largest power of two up to a number of at least 1. */
function largestPower(most: number): number {
  let power = 1;
  while (power * 2 <= most) power *= 2;
  return power;
}

async function hashesOf(ranges: readonly Range[], read: ReadTiles): Promise<Bytes[]> {
  const parts = ranges.map(partsOf);
  const places = new Map(parts.flat().map(({ tile }) => [keyOf(tile), tile]));
  const tiles = await read([...places.values()]);
  const found = new Map([...places.keys()].map((key, at) => [key, tiles[at]]));
  return parts.map((those) =>
    those
      .map((part) => hashOver(part, found.get(keyOf(part.tile))))
      .reduceRight((right, left) => nodeHash(left, right)),
  );
}

const keyOf = ({ level, number }: TilePlace): string => `${level}/${number}`;

/** The complete subtrees that a range consists of, largest first. */
function partsOf({ from, to }: Range): Part[] {
  const parts: Part[] = [];
  for (let at = from; at < to; ) {
    const leaves = largestPower(to - at);
    parts.push(partAt(at, leaves));
    at += leaves;
  }
  return parts;
}

function partAt(from: number, leaves: number): Part {
  let [level, first, count] = [0, from, leaves];
  while (count >= tileWidth) [level, first, count] = [level + 1, first / tileWidth, count / tileWidth];
  return { tile: { level, number: Math.floor(first / tileWidth) }, first: first % tileWidth, count };
}

function hashOver({ first, count }: Part, tile: Bytes | undefined): Bytes {
  if (!tile) throw new RangeError("A tile is missing.");
  return rootOver(hashesIn(tile, first, count));
}
