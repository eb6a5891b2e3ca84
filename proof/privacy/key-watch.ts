import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "../../infra/postgres/pool.ts";
import { byteNeedles } from "../../testing/vault/raw-scan.ts";
import type { Sought } from "./scanner.ts";

type RecordKey = Sought & { readonly recordId: string };

/** Copies keys before they are destroyed, to search for them afterwards. The product must never do so. */
export type KeyWatch = {
  /** The keys of the vault's records, of those destroyed and of those that can still be opened. */
  keys(pool: Pool): Promise<{ readonly destroyed: RecordKey[]; readonly alive: RecordKey[] }>;
  stop(): void;
};

const lookEveryMs = 100;
const keyBytes = 32;

/** A segment is written with all its keys before one is used, so a copy made seconds later has every one. */
export function watchKeys(keyDir: string): KeyWatch {
  const segments = new Map<string, Buffer>();
  const folder = join(keyDir, "segments");
  const look = () => {
    for (const name of readdirSync(folder)) {
      if (!name.endsWith(".keys") || segments.has(name)) continue;
      const bytes = readFileSync(join(folder, name));
      // While it is written, it is shorter.
      if (bytes.length >= 1_024 * keyBytes) segments.set(name, bytes);
    }
  };
  const timer = setInterval(look, lookEveryMs);
  return {
    keys: async (pool) => {
      const { rows } = await pool.query<KeyRow>(
        `select record_id as id, data_class as "dataClass", key_segment as segment, key_slot as slot,
           destroyed_at is not null as destroyed from vault_records`,
      );
      const keyOf = ({ id, dataClass, segment, slot }: KeyRow): RecordKey => {
        const bytes = segments.get(`${segment}.keys`)?.subarray(slot * keyBytes, (slot + 1) * keyBytes);
        if (bytes === undefined || bytes.every((byte) => byte === 0))
          throw new Error(`The key of record ${id} was not copied in time.`);
        return { recordId: id, of: `key of ${dataClass} record ${id}`, needles: byteNeedles(bytes) };
      };
      return {
        destroyed: rows.filter(({ destroyed }) => destroyed).map(keyOf),
        alive: rows.filter(({ destroyed }) => !destroyed).map(keyOf),
      };
    },
    stop: () => clearInterval(timer),
  };
}

type KeyRow = { id: string; dataClass: string; segment: string; slot: number; destroyed: boolean };
