import { type Bytes, hashLength, isEqual, join } from "../transparency/formats/bytes.ts";
import { hashesAt, type TilePlace, tileWidth } from "../transparency/formats/tiles.ts";
import { isConsistent, type Tree } from "../transparency/formats/verify-proofs.ts";
import { rootOver } from "../transparency/tree-hashes.ts";
import { proveConsistency, type ReadTiles, rootAt } from "../transparency/tree-proofs.ts";
import type { TreeReach } from "../transparency/tree-records.ts";
import type { PieceRead } from "./read-log.ts";

/** Where events and tiles disagree. */
type Disagreement = {
  /** The last event before the first whose leaf is not the stored one. */
  readonly agreed: TreeReach | undefined;
  /** A tile above that does not have the root of events whose leaves agree. */
  readonly damaged: TilePlace | undefined;
};

/** Compares the leaves of events with the stored ones, and with the tiles right above. @param size of the stored tree */
export async function compareLeaves(piece: PieceRead, read: ReadTiles, size: number): Promise<Disagreement> {
  const { start, events } = piece;
  const end = Math.min(size, start.size + events.length);
  const first = Math.floor(start.size / tileWidth);
  const numbers = Array.from(
    { length: Math.max(0, Math.ceil(end / tileWidth) - first) },
    (_, at) => first + at,
  );
  const above = [...new Set(numbers.map((number) => Math.floor(number / tileWidth)))];
  const tiles = await read([
    ...numbers.map((number) => ({ level: 0, number })),
    ...above.map((number) => ({ level: 1, number })),
  ]);
  const wrong = events.findIndex(({ leaf }, at) => {
    const index = start.size + at;
    const tile = tiles[Math.floor(index / tileWidth) - first];
    return index < end && !(leaf && hasHash(tile, index % tileWidth, leaf));
  });
  if (wrong >= 0) {
    const before = events[wrong - 1];
    const agreed = before
      ? { size: start.size + wrong, position: before.position, eventId: before.id }
      : start;
    return { agreed, damaged: undefined };
  }
  const parents = new Map(above.map((number, at) => [number, tiles[numbers.length + at]]));
  const child = numbers.find((number) => {
    const from = number * tileWidth - start.size;
    const leaves = from < 0 ? [] : events.slice(from, from + tileWidth).flatMap(({ leaf }) => leaf ?? []);
    if (leaves.length < tileWidth || (number + 1) * tileWidth > end) return false;
    return !hasHash(
      parents.get(Math.floor(number / tileWidth)),
      number % tileWidth,
      rootOver(join(...leaves)),
    );
  });
  const damaged = child === undefined ? undefined : { level: 1, number: Math.floor(child / tileWidth) };
  return { agreed: undefined, damaged };
}

/** The first tile from level 2 up that does not have the roots of the tiles below. */
export async function damagedAbove(read: ReadTiles, size: number): Promise<TilePlace | undefined> {
  for (let level = 2; hashesAt(level, size) > 0; level++) {
    for (let number = 0; number < hashesAt(level, size); number++) {
      const place = { level, number: Math.floor(number / tileWidth) };
      const [below, tile] = await read([{ level: level - 1, number }, place]);
      const isFull = below?.length === tileWidth * hashLength;
      if (!isFull || !hasHash(tile, number % tileWidth, rootOver(below))) return place;
    }
  }
  return undefined;
}

const hasHash = (tile: Bytes | undefined, at: number, hash: Bytes): boolean =>
  tile !== undefined && isEqual(tile.subarray(at * hashLength, (at + 1) * hashLength), hash);

/**
 * Whether the newer tree extends the older, by the tiles that the newer one's root vouches for. `unproven`: the tiles
 * are not those of the newer tree.
 */
export async function compareTrees(
  older: Tree,
  newer: Tree,
  tiles: ReadTiles,
): Promise<"extended" | "forked" | "unproven"> {
  try {
    if (older.size === newer.size) return isEqual(older.root, newer.root) ? "extended" : "forked";
    const proof = await proveConsistency(older.size, newer.size, tiles);
    if (await isConsistent(older, newer, proof)) return "extended";
    const root = await rootAt(older.size, tiles);
    return (await isConsistent({ size: older.size, root }, newer, proof)) ? "forked" : "unproven";
  } catch (error) {
    // A tile is missing or too short.
    if (error instanceof RangeError) return "unproven";
    throw error;
  }
}
