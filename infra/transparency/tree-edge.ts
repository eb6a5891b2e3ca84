import { type Bytes, hashLength, join } from "./formats/bytes.ts";
import { hashesAt, type TilePlace, tileWidth } from "./formats/tiles.ts";
import { rootOver } from "./tree-hashes.ts";

/** What a tree needs to grow, without its full tiles. */
export type TreeEdge = {
  readonly size: number;
  /** Hashes of the last tile of each level from 0 up, as far as it is not full. */
  readonly partial: readonly Bytes[];
};

type Tile = TilePlace & { readonly hashes: Bytes };

/**
 * Adds leaves. Resolves to the new edge, and to the tiles that are new or wider: all that became full, and from level 1
 * up the last one.
 * @param leaves their hashes, one after the other
 */
export function extend(edge: TreeEdge, leaves: Bytes): { readonly edge: TreeEdge; readonly tiles: Tile[] } {
  const tiles: Tile[] = [];
  const partial: Bytes[] = [];
  for (let level = 0, added = leaves; added.length > 0; level++) {
    const hashes = join(edge.partial[level] ?? nothing, added);
    const first = Math.floor(hashesAt(level, edge.size) / tileWidth);
    const full = Math.floor(hashes.length / tileBytes);
    const roots = new Uint8Array(full * hashLength);
    for (let nth = 0; nth < full; nth++) {
      const tile = hashes.subarray(nth * tileBytes, (nth + 1) * tileBytes);
      tiles.push({ level, number: first + nth, hashes: tile });
      roots.set(rootOver(tile), nth * hashLength);
    }
    const rest = hashes.slice(full * tileBytes);
    if (level > 0 && rest.length > 0) tiles.push({ level, number: first + full, hashes: rest });
    partial.push(rest);
    added = roots;
  }
  const size = edge.size + leaves.length / hashLength;
  return { edge: { size, partial: [...partial, ...edge.partial.slice(partial.length)] }, tiles };
}

const nothing: Bytes = new Uint8Array();
const tileBytes = tileWidth * hashLength;
