import { expect, it } from "vitest";
import { inventedLeaves, tilesOf } from "../../../testing/infra/transparency-fixture.ts";
import { join } from "./bytes.ts";
import { hashesAt, hashesIn, parseTilePath, tilePath, widthOf } from "./tiles.ts";

it("writes and reads the paths of C2SP tlog-tiles", () => {
  expect(tilePath({ level: 0, number: 0 })).toBe("tile/0/000");
  expect(tilePath({ level: 0, number: 1_234_067 })).toBe("tile/0/x001/x234/067");
  expect(tilePath({ level: 1, number: 5 }, 17)).toBe("tile/1/005.p/17");
  for (const number of [0, 9, 999, 1_000, 999_999, 1_000_000, 2 ** 44])
    for (const width of [1, 255, 256])
      expect(parseTilePath(tilePath({ level: 3, number }, width))).toEqual({ level: 3, number, width });
});

it.each([
  "tile/0/0",
  "tile/0/0000",
  "tile/0/x000/001",
  "tile/00/001",
  "tile/7/001",
  "tile/-1/001",
  "tile/0/001.p/0",
  "tile/0/001.p/256",
  "tile/0/001.p/07",
  "tile/0/001.p/",
  "tile/0/x001",
  "tile/0/001/",
  "tile/0/x999/x999/x999/x999/x999/999",
  "tile/entries/001",
  "/tile/0/001",
])("knows no path %s", (path) => expect(parseTilePath(path)).toBeUndefined());

it("widths follow from the size of the tree", () => {
  const [first, second, above] = [
    { level: 0, number: 0 },
    { level: 0, number: 1 },
    { level: 1, number: 0 },
  ];
  expect([0, 1, 255, 256, 257].map((size) => widthOf(first, size))).toEqual([0, 1, 255, 256, 256]);
  expect([256, 257, 600].map((size) => widthOf(second, size))).toEqual([0, 1, 256]);
  expect([255, 256, 511, 512, 65_536, 70_000].map((size) => widthOf(above, size))).toEqual([
    0, 1, 1, 2, 256, 256,
  ]);
  expect(hashesAt(2, 2 ** 40)).toBe(2 ** 24);
});

it("a tile holds its hashes one after another", async () => {
  const leaves = inventedLeaves(3);
  const [tile] = await tilesOf(leaves)(3)([{ level: 0, number: 0 }]);
  expect(tile?.length).toBe(96);
  expect(tile && hashesIn(tile, 1, 2)).toEqual(join(...leaves.slice(1)));
  expect(() => tile && hashesIn(tile, 2, 2)).toThrow("has no hash 3");
});
