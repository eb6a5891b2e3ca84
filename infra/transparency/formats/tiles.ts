import { type Bytes, hashLength } from "./bytes.ts";

/** Hashes in a full tile. */
export const tileWidth = 256;

/** A tile's place: hashes `number * 256` onward of tree level `level * 8`. */
export type TilePlace = { readonly level: number; readonly number: number };

/** The highest level: 256^7 leaves exceed the largest safe integer. */
const highestLevel = 6;

/** Full tiles' worth of leaves under one hash of a level. */
const leavesUnder = (level: number): number => tileWidth ** level;

/** Hashes at a level in a tree of this size. */
export const hashesAt = (level: number, size: number): number => Math.floor(size / leavesUnder(level));

/** How many hashes a tile holds in a tree of this size, from 0 to 256. */
export const widthOf = ({ level, number }: TilePlace, size: number): number =>
  Math.max(0, Math.min(tileWidth, hashesAt(level, size) - number * tileWidth));

/** Some hashes of a tile, from its nth. */
export function hashesIn(tile: Bytes, first: number, count: number): Bytes {
  const end = (first + count) * hashLength;
  if (end > tile.length)
    throw new RangeError(`A tile of ${tile.length} bytes has no hash ${first + count - 1}.`);
  return tile.subarray(first * hashLength, end);
}

/** `tile/<L>/<N>`, with `.p/<W>` when it is partial. */
export function tilePath({ level, number }: TilePlace, width = tileWidth): string {
  const digits = String(number);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/\d{3}/g) ?? [];
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join("/");
  return `tile/${level}/${path}${width === tileWidth ? "" : `.p/${width}`}`;
}

const pathShape = /^tile\/(\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/;

/** Reads a path in its one canonical form; undefined for anything else. */
export function parseTilePath(path: string): (TilePlace & { readonly width: number }) | undefined {
  const [, levelText = "", groups = "", widthText] = pathShape.exec(path) ?? [];
  const [level, number] = [Number(levelText), Number(groups.replaceAll(/[x/]/g, ""))];
  const width = widthText === undefined ? tileWidth : Number(widthText);
  if (level > highestLevel || !Number.isSafeInteger(number) || width < 1 || width > tileWidth)
    return undefined;
  return tilePath({ level, number }, width) === path ? { level, number, width } : undefined;
}
