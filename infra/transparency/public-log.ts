import type { EventStore, StoredEvent } from "../event-store/event-store.ts";
import type { Pool } from "../postgres/pool.ts";
import { type PublishedCheckpoint, publishedCheckpoint } from "./checkpoint-file.ts";
import { readPublished } from "./checkpoint-signer.ts";
import { eventLeaf, type LeafDetails } from "./event-leaf.ts";
import { type Bytes, bytesOf, hashLength } from "./formats/bytes.ts";
import { formatCheckpoint } from "./formats/checkpoint.ts";
import { formatProofBundle } from "./formats/proof-bundle.ts";
import { formatProofFile, type RecordProof } from "./formats/proof-file.ts";
import { formatNote, type NoteSigner, signNote } from "./formats/signed-note.ts";
import { parseTilePath, type TilePlace, widthOf } from "./formats/tiles.ts";
import { formatVerifierKey } from "./formats/verifier-key.ts";
import { hashOfLeaf, isIncluded } from "./formats/verify-proofs.ts";
import type { RetiredKey } from "./log-keys.ts";
import { emptyRoot } from "./tree-hashes.ts";
import { proveInclusion, type ReadTiles } from "./tree-proofs.ts";
import { readReach, readTilesFrom, receiptIndex, receiptIndexes } from "./tree-records.ts";

/** What anyone may read of the transparency log. */
export type PublicLog = {
  /** The newest signed checkpoint; that of the empty tree before the first. */
  checkpoint(): Promise<string>;
  /** Keys that sign, newest first, then retired ones, newest first. */
  keys(): Promise<readonly LogKey[]>;
  /** Who is asked to sign each checkpoint. */
  witnesses(): NamedWitnesses;
  /** @param path `tile/<L>/<N>[.p/<W>]`. Undefined for a tile that no signed tree has. */
  tile(path: string): Promise<Uint8Array | undefined>;
  /** A proof file for those who may know the event; undefined until a signed tree has its leaf. */
  prove(event: StoredEvent): Promise<string | undefined>;
  /**
   * Proofs for those who may know these events, in one file with one checkpoint. Events without a leaf in a signed tree
   * are counted. Undefined while there is no signed tree.
   */
  proveTogether(
    events: readonly { readonly stream: string; readonly eventId: string }[],
  ): Promise<string | undefined>;
};

const provedAtOnce = 16;
const mostTilesKept = 256;

/** Proofs of neighbours share tiles. */
function keepingTiles(read: ReadTiles): ReadTiles {
  const kept = new Map<string, Bytes>();
  const keyOf = ({ level, number }: TilePlace): string => `${level}/${number}`;
  return async (places) => {
    const wanted = places.filter((place) => !kept.has(keyOf(place)));
    const found = wanted.length === 0 ? [] : await read(wanted);
    const fresh = new Map(wanted.map((place, at) => [keyOf(place), found[at] ?? new Uint8Array()]));
    const answer = places.map((place) => fresh.get(keyOf(place)) ?? kept.get(keyOf(place)));
    for (const [key, tile] of fresh) kept.set(key, tile);
    for (const key of [...kept.keys()].slice(0, Math.max(0, kept.size - mostTilesKept))) kept.delete(key);
    return answer.map((tile) => tile ?? new Uint8Array());
  };
}

/** A key that signs checkpoints, or did. */
type LogKey = {
  /** `name+id+key` */
  readonly key: string;
  readonly state: "signs" | "retired" | "revoked";
  /** When it stopped signing, ISO 8601. */
  readonly since: string | null;
};

type NamedWitnesses = {
  /** How many of them should sign. */
  readonly quorum: number;
  /** `name+id+key` */
  readonly keys: readonly string[];
};

export function createPublicLog(options: {
  readonly pool: Pool;
  readonly store: Pick<EventStore, "logId" | "readStream">;
  readonly signers: () => Promise<readonly NoteSigner[]>;
  readonly retired: () => Promise<readonly RetiredKey[]>;
  readonly witnesses: NamedWitnesses;
  /** The same lines as those of the tree's follower. */
  readonly detailsOf: (event: StoredEvent) => LeafDetails | undefined;
}): PublicLog {
  const { pool, store, signers, retired, witnesses, detailsOf } = options;

  async function keys(): Promise<LogKey[]> {
    const signing = (await signers()).map(({ key }) => key);
    const former = (await retired()).filter(({ key }) => !signing.some(({ id }) => id === key.id));
    return [
      ...signing.map((key) => ({ key: formatVerifierKey(key), state: "signs" as const, since: null })),
      ...former.map(({ key, since, isRevoked }) => ({
        key: formatVerifierKey(key),
        state: isRevoked ? ("revoked" as const) : ("retired" as const),
        since: since.toISOString(),
      })),
    ];
  }

  /** Every tree begins with the empty one: later checkpoints extend this one. */
  async function emptyCheckpoint(): Promise<string> {
    const signing = await signers();
    const [newest] = signing;
    if (!newest) throw new Error("The transparency log has no key that signs.");
    const text = formatCheckpoint({ origin: newest.key.name, size: 0, root: emptyRoot });
    return formatNote({ text, signatures: await Promise.all(signing.map((each) => signNote(text, each))) });
  }

  /** Undefined before the first, and while a tree that is grown anew has yet to reach it. */
  async function publishedTree(): Promise<PublishedCheckpoint | undefined> {
    const published = await readPublished(pool);
    if (!published || (await readReach(pool)).size < published.size) return undefined;
    return publishedCheckpoint(published.note);
  }

  async function proofOf(
    event: StoredEvent,
    index: number,
    tree: PublishedCheckpoint,
    tiles: ReadTiles,
  ): Promise<RecordProof> {
    const extra = bytesOf(eventLeaf(await store.logId(), index, event, detailsOf(event)));
    const hashes = await proveInclusion(index, tree.size, tiles);
    if (!(await isIncluded(await hashOfLeaf(extra), index, hashes, tree)))
      throw new Error(`The signed tree does not have the leaf of event ${event.id}.`);
    return { extra, index, hashes };
  }

  return {
    checkpoint: async () => (await readPublished(pool))?.note ?? (await emptyCheckpoint()),
    keys,
    witnesses: () => witnesses,
    tile: async (path) => {
      const place = parseTilePath(path);
      const published = place && (await readPublished(pool));
      if (!published || widthOf(place, published.size) < place.width) return undefined;
      const [tile] = await readTilesFrom(pool)([place]);
      return tile?.slice(0, place.width * hashLength);
    },
    prove: async (event) => {
      const [index, tree] = [await receiptIndex(pool, event.id), await publishedTree()];
      if (index === undefined || !tree || index >= tree.size) return undefined;
      return formatProofFile({
        ...(await proofOf(event, index, tree, readTilesFrom(pool))),
        checkpoint: tree.note,
      });
    },
    proveTogether: async (wanted) => {
      const tree = await publishedTree();
      if (!tree) return undefined;
      const indexes = await receiptIndexes(
        pool,
        wanted.map(({ eventId }) => eventId),
      );
      const ready = wanted
        .map((each) => ({ ...each, index: indexes.get(each.eventId) ?? tree.size }))
        .filter(({ index }) => index < tree.size)
        .sort((one, other) => one.index - other.index);
      const tiles = keepingTiles(readTilesFrom(pool));
      const proofs: RecordProof[] = [];
      for (let from = 0; from < ready.length; from += provedAtOnce) {
        const some = ready.slice(from, from + provedAtOnce);
        proofs.push(
          ...(await Promise.all(
            some.map(async ({ stream, eventId, index }) => {
              const event = (await store.readStream(stream)).find(({ id }) => id === eventId);
              if (!event) throw new Error(`${stream} has lost event ${eventId}.`);
              return proofOf(event, index, tree, tiles);
            }),
          )),
        );
      }
      return formatProofBundle({ proofs, waiting: wanted.length - ready.length, checkpoint: tree.note });
    },
  };
}
