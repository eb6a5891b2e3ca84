import { expect, it } from "vitest";
import { inventedTiles, seededBelow } from "../../testing/infra/transparency-fixture.ts";
import { type Bytes, hashLength } from "./formats/bytes.ts";
import { hashesAt, tileWidth, widthOf } from "./formats/tiles.ts";
import { extend, type TreeEdge } from "./tree-edge.ts";
import { leafHashes } from "./tree-hashes.ts";

const count = 140_000;
const leaves = leafHashes(Array.from({ length: count }, (_, at) => `leaf ${at}`));

it.each([1, 2, 3])("has the tiles of the same leaves, however they come (seed %i)", async (seed) => {
  const below = seededBelow(`steps ${seed}`);
  const tiles = new Map<string, Bytes>();
  let edge: TreeEdge = { size: 0, partial: [] };
  while (edge.size < count) {
    const step = Math.min(count - edge.size, 1 + below(below(2) === 0 ? 300 : 30_000));
    const from = edge.size * hashLength;
    const grown = extend(edge, leaves.subarray(from, from + step * hashLength));
    for (const { level, number, hashes } of grown.tiles) tiles.set(`${level}/${number}`, hashes);
    edge = grown.edge;
  }
  const right = inventedTiles(count)(count);
  for (let level = 0; hashesAt(level, count) > 0; level++) {
    const last = { level, number: Math.floor(hashesAt(level, count) / tileWidth) };
    for (let number = 0; number < last.number; number++)
      expect([tiles.get(`${level}/${number}`)]).toEqual(await right([{ level, number }]));
    expect([edge.partial[level]]).toEqual(await right([last]));
    // The newest leaves are not a tile yet.
    if (level > 0 && widthOf(last, count) > 0)
      expect(tiles.get(`${level}/${last.number}`)).toEqual(edge.partial[level]);
  }
});

it("is left as it was", () => {
  const edge = { size: 255, partial: [leaves.slice(0, 255 * hashLength)] };
  const grown = extend(edge, leaves.slice(255 * hashLength, 257 * hashLength));
  expect(grown.edge.partial.map(({ length }) => length / hashLength)).toEqual([1, 1]);
  expect(edge.partial[0]?.length).toBe(255 * hashLength);
});
