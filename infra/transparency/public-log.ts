import type { Pool } from "../postgres/pool.ts";
import { readPublished } from "./checkpoint-signer.ts";
import { hashLength } from "./formats/bytes.ts";
import type { NoteSigner } from "./formats/signed-note.ts";
import { parseTilePath, widthOf } from "./formats/tiles.ts";
import { formatVerifierKey } from "./formats/verifier-key.ts";
import { readTilesFrom } from "./tree-records.ts";

/** What anyone may read of the transparency log. */
export type PublicLog = {
  /** The newest signed checkpoint; undefined before the first. */
  checkpoint(): Promise<string | undefined>;
  /** The keys that sign, one a line, newest first. */
  keys(): Promise<string>;
  /** @param path `tile/<L>/<N>[.p/<W>]`. Undefined for a tile that no signed tree has. */
  tile(path: string): Promise<Uint8Array | undefined>;
};

export function createPublicLog(options: {
  readonly pool: Pool;
  readonly signers: () => Promise<readonly NoteSigner[]>;
}): PublicLog {
  const { pool, signers } = options;
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
  };
}
