import type { StoredEvent } from "../event-store/event-store.ts";
import type { Pool } from "../postgres/pool.ts";
import type { CheckpointFile } from "../transparency/checkpoint-file.ts";
import { readPublished } from "../transparency/checkpoint-signer.ts";
import { type LeafDetails, leafOf } from "../transparency/event-leaf.ts";
import type { Bytes } from "../transparency/formats/bytes.ts";
import { openCheckpoint, parseCheckpoint } from "../transparency/formats/checkpoint.ts";
import { NoteRefused, parseNote } from "../transparency/formats/signed-note.ts";
import type { VerifierKey } from "../transparency/formats/verifier-key.ts";
import type { Tree } from "../transparency/formats/verify-proofs.ts";
import { emptyRoot, leafHash } from "../transparency/tree-hashes.ts";
import type { ReadTiles } from "../transparency/tree-proofs.ts";
import { readMarks, readReach, readTilesFrom, type TreeReach } from "../transparency/tree-records.ts";
import { type AuditProblem, forked, noteBroken, rolledBack } from "./audit-problem.ts";
import { compareTrees } from "./compare-tiles.ts";

/** The log's tree, with what was signed of it. */
export type AuditedTree = {
  /** How many leaves are stored. */
  size(): Promise<number>;
  readonly tiles: ReadTiles;
  marksAfter(size: number): Promise<readonly TreeReach[]>;
  /** The newest checkpoint beside the keys; undefined before the first. */
  kept(): Promise<string | undefined>;
  /** The newest published checkpoint, in the database. */
  published(): Promise<string | undefined>;
  /** Keys whose signatures count, of the log with this name. */
  keysOf(origin: string): Promise<readonly VerifierKey[]>;
  /** The same lines as those of the tree's follower. */
  detailsOf(event: StoredEvent): LeafDetails | undefined;
};

/** The tree in the database. */
export const treeInDatabase = (
  pool: Pool,
  file: Pick<CheckpointFile, "read">,
  parts: Pick<AuditedTree, "keysOf" | "detailsOf">,
): AuditedTree => ({
  ...parts,
  size: async () => (await readReach(pool)).size,
  tiles: readTilesFrom(pool),
  marksAfter: (size) => readMarks(pool, size),
  kept: async () => (await file.read())?.note,
  published: async () => (await readPublished(pool))?.note,
});

/** Hashes leaves of intact events. One that cannot have a leaf gets a hash that none has. */
export const leafHasher =
  (logId: string, { detailsOf }: Pick<AuditedTree, "detailsOf">) =>
  (index: number, event: StoredEvent): Bytes => {
    try {
      return leafHash(leafOf(logId, index, event, detailsOf(event)));
    } catch (error) {
      if (error instanceof RangeError) return emptyRoot;
      throw error;
    }
  };

/** What was signed, each signature verified. */
export type SignedTrees = {
  /** The newest checkpoint beside the keys. */
  readonly kept: Tree | undefined;
  /** Every other checkpoint that was seen. */
  readonly seen: readonly Tree[];
};

/**
 * Reads the signed trees and compares them with each other by their tiles: no event is read, and few tiles.
 * @param more other checkpoints that were seen: verified earlier, or kept elsewhere
 */
export async function readSigned(
  tree: AuditedTree,
  more: readonly Tree[] = [],
): Promise<SignedTrees | { readonly problem: AuditProblem }> {
  // Published ones are beside the keys first.
  const published = await open(tree, await tree.published(), "in the database");
  if (published && "problem" in published) return published;
  const kept = await open(tree, await tree.kept(), "beside the keys");
  if (kept && "problem" in kept) return kept;
  const seen = [...(published ? [published] : []), ...more].filter(({ size }) => size > 0);
  const newest = Math.max(0, ...seen.map(({ size }) => size));
  if (newest > (kept?.size ?? 0)) return { problem: rolledBack(kept?.size ?? 0, newest) };
  const size = await tree.size();
  for (const older of kept && kept.size <= size ? seen : []) {
    if (kept && (await compareTrees(older, kept, tree.tiles)) === "forked")
      return { problem: forked(older, kept) };
  }
  return { kept, seen };
}

async function open(
  tree: AuditedTree,
  note: string | undefined,
  where: string,
): Promise<Tree | { readonly problem: AuditProblem } | undefined> {
  if (note === undefined) return undefined;
  try {
    const { origin } = parseCheckpoint(parseNote(note).text);
    return (await openCheckpoint(note, await tree.keysOf(origin))).checkpoint;
  } catch (error) {
    if (!(error instanceof NoteRefused)) throw error;
    return { problem: noteBroken(where, error.message) };
  }
}
