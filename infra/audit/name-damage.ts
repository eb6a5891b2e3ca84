import type { EventStore, StoredEvent } from "../event-store/event-store.ts";
import { BrokenChain, verifyContent, verifyStream } from "../event-store/hash-chain.ts";
import { type Bytes, hashLength, isEqual } from "../transparency/formats/bytes.ts";
import { tileWidth } from "../transparency/formats/tiles.ts";
import { isIncluded, type Tree } from "../transparency/formats/verify-proofs.ts";
import { proveInclusion, type ReadTiles } from "../transparency/tree-proofs.ts";
import type { TreeReach } from "../transparency/tree-records.ts";
import {
  type AuditProblem,
  chainBroken,
  changed,
  cutShort,
  inserted,
  missing,
  reordered,
  rewritten,
} from "./audit-problem.ts";
import { type AuditedTree, leafHasher } from "./audited-tree.ts";
import { eventsAfter } from "./read-log.ts";

type Damage = {
  readonly store: Pick<EventStore, "readAll" | "readStream">;
  readonly logId: string;
  readonly tree: AuditedTree;
  /** The signed tree that the log contradicts; undefined where nothing is signed yet. */
  readonly signed: Tree | undefined;
  /** The last event that agrees with the tree. */
  readonly last: TreeReach;
  readonly broken: BrokenChain | undefined;
};

/** How far events are looked for that are missing, inserted or moved. */
const window = 4_096;

/** Says what happened to the log where it first differs from its tree. */
export async function nameDamage(damage: Damage): Promise<AuditProblem> {
  const { store, logId, tree, signed, last, broken } = damage;
  const index = last.size;
  const recorded = await recordedFrom(tree, index);
  const [first] = recorded;
  const isSigned = signed && index < signed.size;
  // Where the tiles too are not what was signed, they cannot say what was there.
  if (!first || (isSigned && !(await holds(first, index, signed, tree.tiles))))
    return broken ? chainBroken(broken) : rewritten(signed);
  const events: StoredEvent[] = [];
  for await (const event of eventsAfter(store, last.position, window)) events.push(event);
  const [found] = events;
  if (!found) return cutShort(index, signed?.size ?? index + recorded.length);
  const leafAt = leavesOf(logId, tree);
  const isAt = (event: StoredEvent, at: number): boolean => {
    const [leaf, other] = [leafAt(event, index + at), recorded[at]];
    return leaf !== undefined && other !== undefined && isEqual(leaf, other);
  };
  // The event that stands here belongs further on; the one that belongs here stands further on.
  const belongs = recorded.findIndex((_, at) => at > 0 && isAt(found, at));
  const comes = events.findIndex((event, at) => at > 0 && isAt(event, 0));
  if (belongs > 0 && comes > 0) return reordered(index, index + Math.max(belongs, comes), found);
  if (belongs > 0) return missing(index, belongs, found);
  if (comes > 0) return inserted(index, comes, found);
  return (await isChained(store, found)) ? rewritten(signed, index, found) : changed(index, found);
}

/** The leaves that the tree records from an index on; fewer where a tile is too short. */
async function recordedFrom({ size, tiles }: AuditedTree, index: number): Promise<Bytes[]> {
  const end = Math.min(await size(), index + window);
  const [from, to] = [Math.floor(index / tileWidth), Math.ceil(end / tileWidth)];
  const places = Array.from({ length: Math.max(0, to - from) }, (_, at) => ({ level: 0, number: from + at }));
  const leaves: Bytes[] = [];
  for (const [at, tile] of (await tiles(places)).entries()) {
    const first = (from + at) * tileWidth;
    for (let byte = 0; byte + hashLength <= tile.length; byte += hashLength) {
      const leaf = first + byte / hashLength;
      if (leaf < index || leaf >= end) continue;
      if (leaf !== index + leaves.length) return leaves;
      leaves.push(tile.slice(byte, byte + hashLength));
    }
  }
  return leaves;
}

async function holds(leaf: Bytes, index: number, signed: Tree, tiles: ReadTiles): Promise<boolean> {
  try {
    return await isIncluded(leaf, index, await proveInclusion(index, signed.size, tiles), signed);
  } catch (error) {
    // A tile is missing or too short.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** An event's leaf at an index; undefined for one that was changed. */
function leavesOf(
  logId: string,
  tree: AuditedTree,
): (event: StoredEvent, index: number) => Bytes | undefined {
  const leafOf = leafHasher(logId, tree);
  const intact = new Map<StoredEvent, boolean>();
  return (event, index) => {
    if (!intact.has(event)) intact.set(event, isIntact(event));
    return intact.get(event) ? leafOf(index, event) : undefined;
  };
}

function isIntact(event: StoredEvent): boolean {
  try {
    verifyContent(event);
    return true;
  } catch (error) {
    if (error instanceof BrokenChain) return false;
    throw error;
  }
}

/** Whether the event's stream agrees with itself. */
async function isChained(store: Pick<EventStore, "readStream">, { stream }: StoredEvent): Promise<boolean> {
  try {
    verifyStream(stream, await store.readStream(stream));
    return true;
  } catch (error) {
    if (error instanceof BrokenChain) return false;
    throw error;
  }
}
