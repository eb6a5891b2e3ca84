import { randomUUID } from "node:crypto";
import { openAuditProgress } from "../../infra/audit/audit-progress.ts";
import { type AuditedTree, treeInDatabase } from "../../infra/audit/audited-tree.ts";
import type { EventStore, StoredEvent } from "../../infra/event-store/event-store.ts";
import { seal, verifyStream } from "../../infra/event-store/hash-chain.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { eventLeaf } from "../../infra/transparency/event-leaf.ts";
import type { Bytes } from "../../infra/transparency/formats/bytes.ts";
import { formatCheckpoint } from "../../infra/transparency/formats/checkpoint.ts";
import { formatNote, type NoteSigner, signNote } from "../../infra/transparency/formats/signed-note.ts";
import { signatureTypes } from "../../infra/transparency/formats/verifier-key.ts";
import { leafHash } from "../../infra/transparency/tree-hashes.ts";
import { type ReadTiles, rootAt } from "../../infra/transparency/tree-proofs.ts";
import type { TreeReach } from "../../infra/transparency/tree-records.ts";
import type { MemoryLog } from "../event-store/memory-event-store.ts";
import { signerNamed, tilesOf } from "./transparency-fixture.ts";

/** Appends events of these types to a stream, chained as by the command handler. */
export async function write(store: EventStore, stream: string, ...types: string[]): Promise<void> {
  for (const type of types) {
    const before = await store.readStream(stream);
    const revision = before.length;
    const event = {
      id: randomUUID(),
      type,
      data: { amount: revision },
      metadata: { at: "2026-11-21T09:30:00.000Z" },
    };
    const link = { stream, revision, previousHash: verifyStream(stream, before) };
    await store.append({
      stream,
      expectedRevision: revision === 0 ? "none" : revision - 1,
      events: [seal(event, link)],
    });
  }
}

/** The same stream, rechained as a skilled attacker would. */
export function recomputed(events: readonly StoredEvent[]): StoredEvent[] {
  let previousHash: string | null = null;
  return events.map((event, revision) => {
    const { hash: _hash, previousHash: _previous, ...metadata } = event.metadata;
    const sealed = seal({ ...event, metadata }, { stream: event.stream, revision, previousHash });
    previousHash = sealed.metadata.hash;
    return { ...event, revision, metadata: sealed.metadata };
  });
}

/** The tree in a database, of which nothing was signed, and progress in a folder. */
export function unsignedTree(pool: Pool, folder: string, detailsOf: AuditedTree["detailsOf"]) {
  return {
    tree: treeInDatabase(pool, { read: async () => undefined }, { keysOf: async () => [], detailsOf }),
    progress: openAuditProgress(folder),
  };
}

export const leavesOf = (log: Pick<MemoryLog, "id" | "events">): Bytes[] =>
  log.events.map((event, index) => leafHash(eventLeaf(log.id, index, event)));

/** A signed checkpoint over these leaves. */
export async function checkpointOver(leaves: readonly Bytes[], signer: NoteSigner): Promise<string> {
  const root = await rootAt(leaves.length, tilesOf(leaves)(leaves.length));
  const text = formatCheckpoint({ origin: signer.key.name, size: leaves.length, root });
  return formatNote({ text, signatures: [await signNote(text, signer)] });
}

/** A tree in memory, whose parts a test may replace. */
export type MemoryTree = AuditedTree & {
  signer: NoteSigner;
  leaves: readonly Bytes[];
  marks: readonly TreeReach[];
  noteKept: string | undefined;
  notePublished: string | undefined;
  /** How many tiles were read. */
  tilesRead: number;
  /** Changes tiles as they are read. */
  spoil: (tile: Bytes, place: { level: number; number: number }) => Bytes;
  /** Grows with the log, and signs and publishes what it has. */
  sign(log: Pick<MemoryLog, "id" | "events">): Promise<void>;
};

/** @param marksEvery leaves from one mark to the next */
export async function memoryTree(marksEvery = 64): Promise<MemoryTree> {
  const signer = await signerNamed("certificates.example/transparency", signatureTypes.log);
  const tiles: ReadTiles = async (places) => {
    tree.tilesRead += places.length;
    const read = await tilesOf(tree.leaves)(tree.leaves.length)(places);
    return read.map((tile, at) => tree.spoil(tile, places[at] ?? { level: 0, number: 0 }));
  };
  const tree: MemoryTree = {
    ...{ signer, tiles, leaves: [], marks: [], noteKept: undefined, notePublished: undefined, tilesRead: 0 },
    spoil: (tile) => tile,
    size: async () => tree.leaves.length,
    marksAfter: async (size) => tree.marks.filter((mark) => mark.size > size),
    kept: async () => tree.noteKept,
    published: async () => tree.notePublished,
    keysOf: async () => [tree.signer.key],
    detailsOf: () => undefined,
    sign: async (log) => {
      tree.leaves = leavesOf(log);
      tree.marks = log.events.flatMap(({ position, id }, at) =>
        (at + 1) % marksEvery === 0 ? [{ size: at + 1, position, eventId: id }] : [],
      );
      tree.noteKept = await checkpointOver(tree.leaves, signer);
      tree.notePublished = tree.noteKept;
    },
  };
  return tree;
}
