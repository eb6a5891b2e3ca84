import type { EventStore, StoredEvent } from "../event-store/event-store.ts";
import { createFollower, type Follower } from "../following/follower.ts";
import type { Subscription } from "../following/subscription/subscribing.ts";
import type { Client, Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { eventLeaf, type LeafDetails } from "./event-leaf.ts";
import { leafHash } from "./tree-hashes.ts";
import { addLeaves, markEvery, readReach, recordMarks, recordReceipts } from "./tree-records.ts";

export type TreeFollowerOptions = {
  readonly store: EventStore;
  readonly pool: Pool;
  readonly newId: () => string;
  readonly log: Log;
  /** The process' own; without it the follower reads the log by itself. */
  readonly subscription?: Subscription;
  /** Further lines of an event's leaf; undefined for events without a receipt. */
  readonly detailsOf: (event: StoredEvent) => LeafDetails | undefined;
  /** Leaves from one mark to the next (16,384). */
  readonly marksEvery?: number;
};

/** Adds a leaf to the tree for each event of the log. */
export function createTreeFollower(options: TreeFollowerOptions): Follower {
  const { store, pool, newId, log, subscription, detailsOf, marksEvery = markEvery } = options;

  let knownLogId: string | undefined;

  async function process(client: Client, events: readonly StoredEvent[]): Promise<void> {
    const { size, position } = await readReach(client);
    // A follower that begins again meets events that have their leaves.
    const added = events.filter((event) => event.position > position);
    const last = added.at(-1);
    if (!last) return;
    const logId = knownLogId ?? (await store.logId());
    knownLogId = logId;
    const receipts = new Map<string, number>();
    const leaves = added.map((event, at) => {
      const details = detailsOf(event);
      if (details) receipts.set(event.id, size + at);
      return leafHash(eventLeaf(logId, size + at, event, details));
    });
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
