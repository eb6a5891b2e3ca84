import type { EventStore, StoredEvent } from "../event-store/event-store.ts";
import { BrokenChain } from "../event-store/hash-chain.ts";
import { createLogVerifier } from "../event-store/log-verifier.ts";
import { createFollower, type Follower } from "../following/follower.ts";
import type { Subscription } from "../following/subscription/subscribing.ts";
import type { Client, Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { type LeafDetails, verifiedLeaf } from "./event-leaf.ts";
import type { Bytes } from "./formats/bytes.ts";
import { leafHash } from "./tree-hashes.ts";
import { addLeaves, markEvery, readReach, recordMarks, recordReceipts } from "./tree-records.ts";

type TreeFollowerOptions = {
  readonly store: EventStore;
  readonly pool: Pool;
  readonly newId: () => string;
  readonly log: Log;
  /** The process' own; without it the follower reads the log by itself. */
  readonly subscription?: Subscription;
  /** Further lines of an event's leaf; undefined for events without a receipt. */
  readonly detailsOf: (event: StoredEvent) => LeafDetails | undefined;
  /** Called for an event that does not agree with its stream, before the follower stops at it. */
  readonly onBroken?: (error: BrokenChain) => Promise<void>;
  /** Leaves from one mark to the next (16,384). */
  readonly marksEvery?: number;
};

/** Verifies each event of the log against the one before it in its stream, and adds a leaf to the tree for it. */
export function createTreeFollower(options: TreeFollowerOptions): Follower {
  const { store, pool, newId, log, subscription, detailsOf, onBroken, marksEvery = markEvery } = options;

  const verifier = createLogVerifier(store);
  let knownLogId: string | undefined;

  /** The hashes of leaves from an index on, and the indexes of those with a receipt by their events' ids. */
  async function leavesOf(events: readonly StoredEvent[], first: number, logId: string) {
    const receipts = new Map<string, number>();
    const leaves: Bytes[] = [];
    try {
      for (const event of events) {
        const [index, details] = [first + leaves.length, detailsOf(event)];
        if (details) receipts.set(event.id, index);
        leaves.push(leafHash(verifiedLeaf(logId, index, event, await verifier.hashOf(event), details)));
      }
    } catch (error) {
      if (error instanceof BrokenChain) await onBroken?.(error);
      throw error;
    }
    return { leaves, receipts };
  }

  async function process(client: Client, events: readonly StoredEvent[]): Promise<void> {
    const { size, position } = await readReach(client);
    // A follower that begins again meets events that have their leaves.
    const added = events.filter((event) => event.position > position);
    const last = added.at(-1);
    if (!last) return;
    const logId = knownLogId ?? (await store.logId());
    knownLogId = logId;
    const { leaves, receipts } = await leavesOf(added, size, logId);
    await addLeaves(client, size, leaves, { position: last.position, eventId: last.id });
    await recordReceipts(client, receipts);
    const marked = added.flatMap(({ position: at, id }, nth) => {
      const grown = size + nth + 1;
      return grown % marksEvery === 0 ? [{ size: grown, position: at, eventId: id }] : [];
    });
    await recordMarks(client, marked);
  }

  const key = { name: treeFollower, version: 1 };
  return (
    subscription?.add({ ...key, process }) ?? createFollower({ ...key, store, pool, newId, log, process })
  );
}

/** Its name among the followers. */
export const treeFollower = "transparency";
