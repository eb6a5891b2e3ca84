import type { EventStore, StoredEvent } from "../event-store/event-store.ts";
import type { Pool } from "../postgres/pool.ts";
import { readPublished } from "./checkpoint-signer.ts";
import { eventLeaf, type LeafDetails } from "./event-leaf.ts";
import { bytesOf, hashLength } from "./formats/bytes.ts";
import { formatProofFile } from "./formats/proof-file.ts";
import type { NoteSigner } from "./formats/signed-note.ts";
import { parseTilePath, widthOf } from "./formats/tiles.ts";
import { formatVerifierKey } from "./formats/verifier-key.ts";
import { proveInclusion } from "./tree-proofs.ts";
import { readReach, readTilesFrom, receiptIndex } from "./tree-records.ts";

/** What anyone may read of the transparency log. */
export type PublicLog = {
  /** The newest signed checkpoint; undefined before the first. */
  checkpoint(): Promise<string | undefined>;
  /** The keys that sign, one a line, newest first. */
  keys(): Promise<string>;
  /** @param path `tile/<L>/<N>[.p/<W>]`. Undefined for a tile that no signed tree has. */
  tile(path: string): Promise<Uint8Array | undefined>;
  /** A proof file for those who may know the event; undefined until a signed tree has its leaf. */
  prove(event: StoredEvent): Promise<string | undefined>;
};

export function createPublicLog(options: {
  readonly pool: Pool;
  readonly store: Pick<EventStore, "logId">;
  readonly signers: () => Promise<readonly NoteSigner[]>;
  /** The same lines as those of the tree's follower. */
  readonly detailsOf: (event: StoredEvent) => LeafDetails | undefined;
}): PublicLog {
  const { pool, store, signers, detailsOf } = options;
  return {
    checkpoint: async () => (await readPublished(pool))?.note,
    keys: async () => (await signers()).map(({ key }) => `${formatVerifierKey(key)}\n`).join(""),
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
      return formatProofFile({
        extra: bytesOf(eventLeaf(await store.logId(), index, event, detailsOf(event))),
        index,
        hashes: await proveInclusion(index, published.size, readTilesFrom(pool)),
        checkpoint: published.note,
      });
    },
  };
}
