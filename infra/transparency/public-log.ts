import type { EventStore, StoredEvent } from "../event-store/event-store.ts";
import type { Pool } from "../postgres/pool.ts";
import { readPublished } from "./checkpoint-signer.ts";
import { eventLeaf, type LeafDetails } from "./event-leaf.ts";
import { bytesOf, hashLength } from "./formats/bytes.ts";
import { parseCheckpoint } from "./formats/checkpoint.ts";
import { formatProofFile } from "./formats/proof-file.ts";
import { type NoteSigner, parseNote } from "./formats/signed-note.ts";
import { parseTilePath, widthOf } from "./formats/tiles.ts";
import { formatVerifierKey } from "./formats/verifier-key.ts";
import { hashOfLeaf, isIncluded } from "./formats/verify-proofs.ts";
import type { RetiredKey } from "./log-keys.ts";
import { proveInclusion } from "./tree-proofs.ts";
import { readReach, readTilesFrom, receiptIndex } from "./tree-records.ts";

/** What anyone may read of the transparency log. */
export type PublicLog = {
  /** The newest signed checkpoint; undefined before the first. */
  checkpoint(): Promise<string | undefined>;
  /** Keys that sign, newest first, then retired ones, newest first. */
  keys(): Promise<readonly LogKey[]>;
  /** Who is asked to sign each checkpoint. */
  witnesses(): NamedWitnesses;
  /** @param path `tile/<L>/<N>[.p/<W>]`. Undefined for a tile that no signed tree has. */
  tile(path: string): Promise<Uint8Array | undefined>;
  /** A proof file for those who may know the event; undefined until a signed tree has its leaf. */
  prove(event: StoredEvent): Promise<string | undefined>;
};

/** A key that signs checkpoints, or did. */
export type LogKey = {
  /** `name+id+key` */
  readonly key: string;
  readonly state: "signs" | "retired" | "revoked";
  /** When it stopped signing, ISO 8601. */
  readonly since: string | null;
};

export type NamedWitnesses = {
  /** How many of them should sign. */
  readonly quorum: number;
  /** `name+id+key` */
  readonly keys: readonly string[];
};

export function createPublicLog(options: {
  readonly pool: Pool;
  readonly store: Pick<EventStore, "logId">;
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

  return {
    checkpoint: async () => (await readPublished(pool))?.note,
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
      const index = await receiptIndex(pool, event.id);
      const published = await readPublished(pool);
      if (index === undefined || !published || index >= published.size) return undefined;
      // A tree that is grown anew has yet to reach its checkpoint.
      if ((await readReach(pool)).size < published.size) return undefined;
      const extra = bytesOf(eventLeaf(await store.logId(), index, event, detailsOf(event)));
      const hashes = await proveInclusion(index, published.size, readTilesFrom(pool));
      const tree = parseCheckpoint(parseNote(published.note).text);
      if (!(await isIncluded(await hashOfLeaf(extra), index, hashes, tree)))
        throw new Error(`The signed tree does not have the leaf of event ${event.id}.`);
      return formatProofFile({ extra, index, hashes, checkpoint: published.note });
    },
  };
}
