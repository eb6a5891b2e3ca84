import type { EventStore, StoredEvent } from "../event-store/event-store.ts";
import { BrokenChain, verifyContent } from "../event-store/hash-chain.ts";
import { createLogVerifier } from "../event-store/log-verifier.ts";
import { createFollower, type Follower } from "../following/follower.ts";
import type { Subscription } from "../following/subscription/subscribing.ts";
import type { Client, Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { type LeafDetails, leafOf } from "./event-leaf.ts";
import { leafHashes } from "./tree-hashes.ts";
import {
  addLeaves,
  lockTree,
  markEvery,
  recordMarks,
  recordReceipts,
  type TreeReach,
  type TreeState,
} from "./tree-records.ts";

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

/** Batches of up to so many events have each event's content verified; larger ones the first event's. */
const mostVerified = 16;

/**
 * Adds a leaf to the tree for each event of the log that follows the one before it in its stream, with the hash that it
 * was appended with. Its content is verified as it comes only while there are few events: canonical JSON costs several
 * times as much as a leaf. Readers and audits verify it against the hash at any time.
 */
export function createTreeFollower(options: TreeFollowerOptions): Follower {
  const { store, pool, newId, log, subscription, detailsOf, onBroken, marksEvery = markEvery } = options;

  const verifier = createLogVerifier(store);
  let knownLogId: string | undefined;
  /** As it is if the last transaction was committed. */
  let lastTree: TreeState | undefined;
  let broken: BrokenChain | undefined;

  async function verify(events: readonly StoredEvent[]): Promise<void> {
    try {
      await verifier.verifyLinks(events);
      for (const [nth, event] of events.entries())
        if (nth === 0 || events.length <= mostVerified || isSamePlace(event, broken)) verifyContent(event);
    } catch (error) {
      if (!(error instanceof BrokenChain)) throw error;
      broken = error;
      await onBroken?.(error);
      throw error;
    }
  }

  /** False when the tree is not as given. */
  async function grow(client: Client, tree: TreeState, events: readonly StoredEvent[]): Promise<boolean> {
    const last = events.at(-1);
    if (!last) return true;
    knownLogId ??= await store.logId();
    const logId = knownLogId;
    await verify(events);
    const receipts = new Map<string, number>();
    const contents = events.map((event, nth) => {
      const [index, details] = [tree.size + nth, detailsOf(event)];
      if (details) receipts.set(event.id, index);
      return leafOf(logId, index, event, details);
    });
    const reached = { position: last.position, eventId: last.id };
    const grown = await addLeaves(client, tree, leafHashes(contents), reached);
    if (!grown) return false;
    await recordReceipts(client, receipts);
    const marked: TreeReach[] = [];
    for (let size = nextMultiple(tree.size, marksEvery); size <= grown.size; size += marksEvery) {
      const event = events[size - tree.size - 1];
      if (event) marked.push({ size, position: event.position, eventId: event.id });
    }
    await recordMarks(client, marked);
    lastTree = grown;
    return true;
  }

  async function process(client: Client, events: readonly StoredEvent[]): Promise<void> {
    const [first] = events;
    // Events that it has already come again after a rollback, or to a follower that begins again.
    if (first && lastTree && first.position > lastTree.position && (await grow(client, lastTree, events)))
      return;
    const tree = await lockTree(client);
    const added = events.filter((event) => event.position > tree.position);
    if (!(await grow(client, tree, added))) throw new Error("A locked tree has changed.");
  }

  const key = { name: treeFollower, version: 1 };
  return (
    subscription?.add({ ...key, process }) ?? createFollower({ ...key, store, pool, newId, log, process })
  );
}

const isSamePlace = ({ stream, revision }: StoredEvent, other: BrokenChain | undefined): boolean =>
  other !== undefined && stream === other.stream && revision === other.revision;

const nextMultiple = (after: number, of: number): number => (Math.floor(after / of) + 1) * of;

/** Its name among the followers. */
export const treeFollower = "transparency";
