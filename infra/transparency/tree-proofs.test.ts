import { describe, expect, it } from "vitest";
import {
  inventedLeaves,
  inventedTiles,
  seededBelow,
  tilesOf,
} from "../../testing/infra/transparency-fixture.ts";
import { type Bytes, hexOf } from "./formats/bytes.ts";
import { hashOfLeaf, isConsistent, isIncluded, type Tree } from "./formats/verify-proofs.ts";
import { emptyRoot, leafHash, nodeHash } from "./tree-hashes.ts";
import { proveConsistency, proveInclusion, rootAt } from "./tree-proofs.ts";

/** As RFC 6962, section 2.1, defines it. */
function rootByDefinition(leaves: readonly Bytes[]): Bytes {
  const [only = emptyRoot] = leaves;
  if (leaves.length < 2) return only;
  let k = 1;
  while (2 * k < leaves.length) k *= 2;
  return nodeHash(rootByDefinition(leaves.slice(0, k)), rootByDefinition(leaves.slice(k)));
}

const leaves = inventedLeaves(1_000);
const tiles = tilesOf(leaves);
const roots = new Map<number, Promise<Tree>>();
const treeOf = (size: number): Promise<Tree> => {
  const known = roots.get(size) ?? rootAt(size, tiles(size)).then((root) => ({ size, root }));
  roots.set(size, known);
  return known;
};
const leafAt = (index: number): Bytes => leaves[index] ?? emptyRoot;

const flipped = (hash: Bytes): Bytes => hash.map((byte, at) => (at === 7 ? byte ^ 4 : byte));
const replaced = (proof: readonly Bytes[], at: number): Bytes[] =>
  proof.map((hash, index) => (index === at ? flipped(hash) : hash));

describe("the published test vectors of RFC 6962's hashing", () => {
  // The tests of google/certificate-transparency, which every implementation repeats.
  const inputs = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
  ];
  const published = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ];
  const hashes = async () => Promise.all(inputs.map((input) => hashOfLeaf(Buffer.from(input, "hex"))));

  it("give the published roots", async () => {
    const read = tilesOf(await hashes());
    for (const [size, root] of published.entries()) expect(hexOf(await rootAt(size, read(size)))).toBe(root);
  });

  it("give the published proofs", async () => {
    const read = tilesOf(await hashes());
    const short = (proof: readonly Bytes[]) => proof.map((hash) => hexOf(hash).slice(0, 8));
    expect(short(await proveInclusion(0, 1, read(1)))).toEqual([]);
    expect(short(await proveInclusion(0, 8, read(8)))).toEqual(["96a296d2", "5f083f0a", "6b47aaf2"]);
    expect(short(await proveInclusion(5, 8, read(8)))).toEqual(["bc1a0643", "ca854ea1", "d37ee418"]);
    expect(short(await proveInclusion(2, 3, read(3)))).toEqual(["fac54203"]);
    expect(short(await proveInclusion(1, 5, read(5)))).toEqual(["6e340b9c", "5f083f0a", "bc1a0643"]);
    expect(short(await proveConsistency(1, 8, read(8)))).toEqual(["96a296d2", "5f083f0a", "6b47aaf2"]);
    expect(short(await proveConsistency(6, 8, read(8)))).toEqual(["0ebc5d34", "ca854ea1", "d37ee418"]);
    expect(short(await proveConsistency(2, 5, read(5)))).toEqual(["5f083f0a", "bc1a0643"]);
  });
});

it("both hash functions agree", async () => {
  for (const text of ["", "a", "äöü\n"]) expect(await hashOfLeaf(Buffer.from(text))).toEqual(leafHash(text));
});

describe("for every size to 1,000", () => {
  const sizes = Array.from({ length: 1_000 }, (_, at) => at + 1);

  it("the root is that of the definition", async () => {
    for (const size of [0, ...sizes])
      expect((await treeOf(size)).root).toEqual(rootByDefinition(leaves.slice(0, size)));
  });

  it("leaves are proved at both edges and between", async () => {
    const below = seededBelow("inclusion");
    for (const size of sizes) {
      const tree = await treeOf(size);
      for (const index of new Set([0, below(size), size - 1])) {
        const proof = await proveInclusion(index, size, tiles(size));
        expect([size, index, await isIncluded(leafAt(index), index, proof, tree)]).toEqual([
          size,
          index,
          true,
        ]);
      }
    }
  });

  it("the tree is proved to extend older ones", async () => {
    const below = seededBelow("consistency");
    for (const size of sizes) {
      const newer = await treeOf(size);
      for (const older of new Set([0, below(size), size - 1, size])) {
        const proof = await proveConsistency(older, size, tiles(size));
        const holds = await isConsistent(await treeOf(older), newer, proof);
        expect([size, older, holds]).toEqual([size, older, true]);
      }
    }
  });

  it("every leaf and every older tree is proved for sizes to 20", async () => {
    for (const size of sizes.slice(0, 20)) {
      for (let n = 0; n < size; n++) {
        const inclusion = await proveInclusion(n, size, tiles(size));
        expect(await isIncluded(leafAt(n), n, inclusion, await treeOf(size))).toBe(true);
        const consistency = await proveConsistency(n, size, tiles(size));
        expect(await isConsistent(await treeOf(n), await treeOf(size), consistency)).toBe(true);
      }
    }
  });
});

it("leaves and older trees are proved for random sizes to 1,000,000", async () => {
  const most = 1_000_000;
  const read = inventedTiles(most);
  const below = seededBelow("large trees");
  for (const size of [most, ...Array.from({ length: 100 }, () => 1 + below(most))]) {
    const newer = { size, root: await rootAt(size, read(size)) };
    const index = below(size);
    const inclusion = await proveInclusion(index, size, read(size));
    const leaf = leafHash(`leaf ${index}`);
    expect([size, index, await isIncluded(leaf, index, inclusion, newer)]).toEqual([size, index, true]);
    expect(await isIncluded(flipped(leaf), index, inclusion, newer)).toBe(false);
    const older = { size: 1 + below(size), root: emptyRoot };
    const root = await rootAt(older.size, read(older.size));
    const consistency = await proveConsistency(older.size, size, read(size));
    const holds = await isConsistent({ ...older, root }, newer, consistency);
    expect([size, older.size, holds]).toEqual([size, older.size, true]);
    expect(await isConsistent(older, newer, consistency)).toBe(false);
  }
});

describe("lies are refused (control)", () => {
  it("another leaf, index, size or root, and a changed, missing or added hash", async () => {
    for (const [index, size] of [
      [0, 7],
      [4, 7],
      [6, 7],
      [299, 300],
      [77, 256],
      [256, 257],
    ] as const) {
      const proof = await proveInclusion(index, size, tiles(size));
      const tree = await treeOf(size);
      const claim = async (
        leaf = leafAt(index),
        at: number = index,
        hashes: readonly Bytes[] = proof,
        of = tree,
      ) => isIncluded(leaf, at, hashes, of);
      expect(await claim()).toBe(true);
      expect(await claim(flipped(leafAt(index)))).toBe(false);
      for (const other of [index - 1, index + 1, size, -1, 0.5])
        expect(await claim(undefined, other)).toBe(false);
      for (const at of proof.keys())
        expect(await claim(undefined, undefined, replaced(proof, at))).toBe(false);
      expect(await claim(undefined, undefined, proof.slice(1))).toBe(false);
      expect(await claim(undefined, undefined, proof.slice(0, -1))).toBe(false);
      expect(await claim(undefined, undefined, [...proof, emptyRoot])).toBe(false);
      expect(await claim(undefined, undefined, proof, { size, root: flipped(tree.root) })).toBe(false);
    }
  });

  it("an older tree that the newer does not extend", async () => {
    for (const [older, newer] of [
      [1, 7],
      [4, 7],
      [6, 7],
      [6, 8],
      [255, 300],
      [256, 300],
      [299, 300],
    ] as const) {
      const proof = await proveConsistency(older, newer, tiles(newer));
      const [from, to] = [await treeOf(older), await treeOf(newer)];
      expect(await isConsistent(from, to, proof)).toBe(true);
      expect(await isConsistent({ ...from, root: flipped(from.root) }, to, proof)).toBe(false);
      expect(await isConsistent(from, { ...to, root: flipped(to.root) }, proof)).toBe(false);
      expect(await isConsistent(await treeOf(older + 1), to, proof)).toBe(false);
      for (const at of proof.keys()) expect(await isConsistent(from, to, replaced(proof, at))).toBe(false);
      expect(await isConsistent(from, to, proof.slice(0, -1))).toBe(false);
      expect(await isConsistent(from, to, [...proof, emptyRoot])).toBe(false);
      expect(await isConsistent(to, from, proof)).toBe(false);
    }
  });

  it("one size with two roots", async () => {
    const tree = await treeOf(300);
    expect(await isConsistent(tree, tree, [])).toBe(true);
    expect(await isConsistent(tree, { ...tree, root: flipped(tree.root) }, [])).toBe(false);
    expect(await isConsistent(tree, tree, [emptyRoot])).toBe(false);
    expect(await isConsistent({ size: 0, root: flipped(emptyRoot) }, tree, [])).toBe(false);
  });
});

it("refuses to prove what is not in the tree", async () => {
  await expect(proveInclusion(7, 7, tiles(7))).rejects.toThrow("has no leaf 7");
  await expect(proveConsistency(8, 7, tiles(7))).rejects.toThrow("does not extend");
  await expect(rootAt(300, tiles(299))).rejects.toThrow(RangeError);
});
