import { randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CheckpointBook, openCheckpointBook } from "../../infra/audit/checkpoint-book.ts";
import { type SignerKeys, signerKeys } from "../../infra/audit/signer-keys.ts";
import type { EventStore, StoredEvent } from "../../infra/event-store/event-store.ts";
import { seal, verifyStream } from "../../infra/event-store/hash-chain.ts";
import { agreedFiles } from "../../infra/key-ring/agreed-files.ts";

/** Appends events of these types to a stream, chained as by the command handler. */
export async function write(store: EventStore, stream: string, ...types: string[]): Promise<void> {
  for (const type of types) {
    const before = await store.readStream(stream);
    const revision = before.length;
    const event = { id: randomUUID(), type, data: { amount: revision }, metadata: {} };
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

/** A book in temporary folders: keys beside it, and a mirror. */
export async function newBook(): Promise<{
  book: CheckpointBook;
  folders: [string, string];
  keys: SignerKeys;
  reopen: () => Promise<CheckpointBook>;
}> {
  const root = await mkdtemp(join(tmpdir(), "audit-"));
  const folders: [string, string] = [join(root, "keys"), join(root, "mirror")];
  const keys = signerKeys(agreedFiles(join(root, "keys")));
  const reopen = async () =>
    openCheckpointBook({ folders, keys: signerKeys(agreedFiles(join(root, "keys"))) });
  return { book: await reopen(), folders, keys, reopen };
}
