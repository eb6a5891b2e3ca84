import { generateKeyPairSync, hash, sign } from "node:crypto";
import { inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { type Bytes, bytesOf, hashLength, join } from "../../infra/transparency/formats/bytes.ts";
import { formatCheckpoint } from "../../infra/transparency/formats/checkpoint.ts";
import { formatProofBundle } from "../../infra/transparency/formats/proof-bundle.ts";
import { formatProofFile } from "../../infra/transparency/formats/proof-file.ts";
import { formatNote, type NoteSigner, signNote } from "../../infra/transparency/formats/signed-note.ts";
import { type TilePlace, tileWidth, widthOf } from "../../infra/transparency/formats/tiles.ts";
import { type SignatureType, verifierKey } from "../../infra/transparency/formats/verifier-key.ts";
import { leafHash, rootOver } from "../../infra/transparency/tree-hashes.ts";
import { proveInclusion, type ReadTiles, rootAt } from "../../infra/transparency/tree-proofs.ts";
import { addLeaves, lockTree, type TreeReach } from "../../infra/transparency/tree-records.ts";

/** One more than a batch may have for each event's content to be verified as the tree grows. */
export const manyEvents = 17;

/** Leaves of an invented log: the same at each call. */
export const inventedLeaves = (count: number): Bytes[] =>
  Array.from({ length: count }, (_, at) => leafHash(`leaf ${at}`));

/** Adds leaves to the tree in a database. @param reached of the last leaf */
export const addLeavesTo = (pool: Pool, leaves: readonly Bytes[], reached: Omit<TreeReach, "size">) =>
  inTransaction(pool, async (client) => addLeaves(client, await lockTree(client), join(...leaves), reached));

/** Keeps the tiles of these leaves, and cuts them as a tree of `size` leaves has them. */
export function tilesOf(leaves: readonly Bytes[]): (size: number) => ReadTiles {
  const levels: Bytes[][] = [[...leaves]];
  for (let row = levels[0] ?? []; row.length >= tileWidth; levels.push(row)) {
    const below = row;
    row = Array.from({ length: Math.floor(below.length / tileWidth) }, (_, at) =>
      rootOver(join(...below.slice(at * tileWidth, (at + 1) * tileWidth))),
    );
  }
  const cut = (place: TilePlace, size: number) => {
    const from = place.number * tileWidth;
    const hashes = (levels[place.level] ?? []).slice(from, from + widthOf(place, size));
    return new Uint8Array(Buffer.concat(hashes));
  };
  return (size) => async (places) => places.map((place) => cut(place, size));
}

/** The same for the first invented leaves, where there are too many for an array each. */
export function inventedTiles(count: number): (size: number) => ReadTiles {
  const leaves = new Uint8Array(count * hashLength);
  for (let at = 0; at < count; at++) leaves.set(leafHash(`leaf ${at}`), at * hashLength);
  const tileBytes = tileWidth * hashLength;
  const levels = [leaves];
  for (let row = leaves; row.length >= tileBytes; levels.push(row)) {
    const below = row;
    row = new Uint8Array(Math.floor(below.length / tileBytes) * hashLength);
    for (let at = 0; at < row.length / hashLength; at++)
      row.set(rootOver(below.subarray(at * tileBytes, (at + 1) * tileBytes)), at * hashLength);
  }
  const cut = (place: TilePlace, size: number) => {
    const from = place.number * tileBytes;
    return levels[place.level]?.slice(from, from + widthOf(place, size) * hashLength) ?? new Uint8Array();
  };
  return (size) => async (places) => places.map((place) => cut(place, size));
}

/** A signer with a new key. */
export async function signerNamed(name: string, type: SignatureType): Promise<NoteSigner> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const spki = publicKey.export({ type: "spki", format: "der" });
  return {
    key: await verifierKey(name, type, new Uint8Array(spki.subarray(-32))),
    sign: async (message) => new Uint8Array(sign(null, message, privateKey)),
  };
}

/** Pseudo-random whole numbers below `end`, the same for the same seed. */
export function seededBelow(seed: string): (end: number) => number {
  let turn = 0;
  return (end) => {
    turn += 1;
    return Number(hash("sha256", `${seed} ${turn}`, "buffer").readBigUInt64BE() % BigInt(end));
  };
}

/** A proof file for a leaf, at its index among invented ones. */
export async function inventedProof(
  signer: NoteSigner,
  leaf: string,
  { index, size }: { index: number; size: number },
): Promise<string> {
  const leaves = inventedLeaves(size).with(index, leafHash(leaf));
  const read = tilesOf(leaves)(size);
  const text = formatCheckpoint({ origin: signer.key.name, size, root: await rootAt(size, read) });
  return formatProofFile({
    extra: bytesOf(leaf),
    index,
    hashes: await proveInclusion(index, size, read),
    checkpoint: formatNote({ text, signatures: [await signNote(text, signer)] }),
  });
}

/** A list of proofs for these leaves, by their index among invented ones. */
export async function inventedBundle(
  signer: NoteSigner,
  leaves: ReadonlyMap<number, string>,
  { size, waiting }: { size: number; waiting: number },
): Promise<string> {
  const hashes = inventedLeaves(size);
  for (const [index, leaf] of leaves) hashes[index] = leafHash(leaf);
  const read = tilesOf(hashes)(size);
  const text = formatCheckpoint({ origin: signer.key.name, size, root: await rootAt(size, read) });
  return formatProofBundle({
    proofs: await Promise.all(
      [...leaves].map(async ([index, leaf]) => ({
        ...{ index, extra: bytesOf(leaf) },
        hashes: await proveInclusion(index, size, read),
      })),
    ),
    waiting,
    checkpoint: formatNote({ text, signatures: [await signNote(text, signer)] }),
  });
}
