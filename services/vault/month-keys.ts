import { randomUUID } from "node:crypto";
import { z } from "zod";
import { keyFingerprint } from "../../infra/key-ring/durable-files.ts";
import { KeyGone, type KeyRing, type KeySlot } from "../../infra/key-ring/key-ring.ts";
import { isZeroed } from "../../infra/key-ring/segment-folder.ts";
import { type Client, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { ProbeFailed, RecordUnreadable } from "./vault.ts";

/** A month's key. The caller fills it with zeros after use. */
export type MonthKey = { readonly keyId: string; readonly key: Buffer };

export type MonthKeyParts = { pool: Pool; keyRing: KeyRing; now: () => Date };

/** Clocks of two machines differ, and work begun in a month may be written in the next. */
const graceMs = 86_400_000;

const storedKey = z.object({
  key_id: z.uuid(),
  key_segment: z.string(),
  key_slot: z.int(),
  key_fingerprint: z.string(),
});
const keyOfRow = (row: z.output<typeof storedKey>) => ({
  keyId: row.key_id,
  slot: { segment: row.key_segment, slot: row.key_slot } satisfies KeySlot,
  fingerprint: row.key_fingerprint,
});
const keyRow = storedKey.transform(keyOfRow);
const writingRow = storedKey
  .extend({ is_current: z.boolean() })
  .transform((row) => ({ ...keyOfRow(row), isCurrent: row.is_current }));
type KeyRow = z.output<typeof keyRow>;

const columns = "key_id, key_segment, key_slot, key_fingerprint";
const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

class NoKeyThisMonth extends Error {
  override name = "NoKeyThisMonth";
}

/** Runs a transaction that uses this month's key: again, once it was created, if there was none yet. */
export async function withKeyOfThisMonth<T>(parts: MonthKeyParts, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NoKeyThisMonth)) throw error;
  }
  await ensureKey(parts, monthOf(parts.now()));
  return work();
}

async function ensureKey(parts: MonthKeyParts, month: string): Promise<void> {
  const { rowCount } = await parts.pool.query(
    "select from index_keys where month = $1 and destroyed_at is null",
    [month],
  );
  if (rowCount === 0) await makeKey(parts, month);
}

/**
 * The live keys, newest first, and among them this month's. Their rows stay locked until the transaction ends, so none
 * can be erased meanwhile.
 * @throws NoKeyThisMonth
 */
export async function keysToWrite(
  parts: MonthKeyParts,
  client: Client,
): Promise<{ readonly current: MonthKey; readonly keys: readonly MonthKey[] }> {
  const { rows } = await client.query(
    `select ${columns}, month = $1 as is_current from index_keys where destroyed_at is null
     order by month desc for key share`,
    [monthOf(parts.now())],
  );
  const kept = z.array(writingRow).parse(rows);
  const currentId = kept.find(({ isCurrent }) => isCurrent)?.keyId;
  if (currentId === undefined) throw new NoKeyThisMonth("This month has no key yet.");
  const keys = await readKeys(parts, kept);
  const current = keys.find(({ keyId }) => keyId === currentId);
  if (!current) throw new RecordUnreadable(`The index key ${currentId} of this month was erased.`);
  return { current, keys };
}

/** The row is committed before the key is used: a crash leaves no index under an unknown key. */
async function makeKey({ pool, keyRing, now }: MonthKeyParts, month: string): Promise<void> {
  const { slot, key } = await keyRing.take();
  const fingerprint = keyFingerprint(key);
  key.fill(0);
  const made = await pool.query(
    `insert into index_keys (key_id, month, key_segment, key_slot, key_fingerprint, made_at)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [randomUUID(), month, slot.segment, slot.slot, fingerprint, now()],
  );
  if (made.rowCount === 0) await keyRing.zero([slot]); // Another process was faster.
}

/** The keys of every month that still has entries, newest first. */
export async function liveKeys({
  pool,
  keyRing,
}: Pick<MonthKeyParts, "pool" | "keyRing">): Promise<MonthKey[]> {
  const { rows } = await pool.query(
    `select ${columns} from index_keys where destroyed_at is null order by month desc`,
  );
  return readKeys({ keyRing }, z.array(keyRow).parse(rows));
}

async function readKeys(
  { keyRing }: Pick<MonthKeyParts, "keyRing">,
  rows: readonly KeyRow[],
): Promise<MonthKey[]> {
  const keys: MonthKey[] = [];
  for (const row of rows) {
    // A restored backup has rows of months whose key is gone; the sweep removes them.
    const key = await readKey(keyRing, row).catch((error: unknown) => goneOrThrow(error));
    if (key) keys.push({ keyId: row.keyId, key });
  }
  return keys;
}

function goneOrThrow(error: unknown): undefined {
  if (error instanceof KeyGone && error.reason === "zeroed") return undefined;
  throw error;
}

async function readKey(keyRing: KeyRing, { slot, fingerprint, keyId }: KeyRow): Promise<Buffer> {
  const key = await keyRing.read(slot);
  if (keyFingerprint(key) === fingerprint) return key;
  throw new RecordUnreadable(`The index key ${keyId} is not the one that was created.`);
}

/**
 * Erases the keys of past months without entries, and removes rows under keys that were erased before (a restored
 * backup). Each step can be repeated.
 * @returns the number of keys erased
 */
export async function closeMonths(parts: MonthKeyParts): Promise<number> {
  const { rows } = await parts.pool.query(
    `select ${columns} from index_keys k where destroyed_at is null and month < $1
       and not exists (select from blind_index b where b.key_id = k.key_id)`,
    [monthOf(new Date(parts.now().getTime() - graceMs))],
  );
  let closed = 0;
  for (const row of z.array(keyRow).parse(rows)) if (await closeMonth(parts, row)) closed += 1;
  return closed;
}

/**
 * Removes the rows of months whose key is gone: they find nothing, and prevent remaining records from being indexed
 * again, which are now due for a check.
 */
export async function clearKeylessMonths(parts: MonthKeyParts): Promise<void> {
  const { pool, keyRing, now } = parts;
  const { rows } = await pool.query(`select ${columns} from index_keys where destroyed_at is null`);
  for (const row of z.array(keyRow).parse(rows)) {
    const held = await keyRing.probe(row.slot);
    if (held.length === 0 || held.some((bytes) => !isZeroed(bytes))) continue;
    await inTransaction(pool, async (client) => {
      await client.query("select from index_keys where key_id = $1 for update", [row.keyId]);
      // A month of many orders takes longer than the pool's statement limit.
      await client.query("set local statement_timeout = '30min'");
      await client.query(
        `with gone as (delete from blind_index where key_id = $1 returning record_id)
         update vault_records set due_at = $2, kept_days = null
         where record_id in (select record_id from gone) and destroyed_at is null`,
        [row.keyId, now()],
      );
      await bury(client, row, now());
    });
  }
}

async function closeMonth({ pool, keyRing, now }: MonthKeyParts, row: KeyRow): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query("select from index_keys where key_id = $1 for update", [row.keyId]);
    const used = await client.query("select from blind_index where key_id = $1 limit 1", [row.keyId]);
    if (used.rowCount !== 0) return false;
    await destroyKey(keyRing, row);
    await bury(client, row, now());
    return true;
  });
}

async function destroyKey(keyRing: KeyRing, row: KeyRow): Promise<void> {
  for (const bytes of await keyRing.probe(row.slot)) {
    if (!isZeroed(bytes) && keyFingerprint(bytes) !== row.fingerprint)
      throw new RecordUnreadable(`The index key ${row.keyId} names another's slot: nothing was destroyed.`);
  }
  await keyRing.zero([row.slot]);
  const left = await keyRing.probe(row.slot);
  if (left.length === 0 || left.some((bytes) => !isZeroed(bytes)))
    throw new ProbeFailed(`The index key ${row.keyId} could not be shown to be gone.`);
}

async function bury(client: Client, { keyId }: KeyRow, at: Date): Promise<void> {
  await client.query("update index_keys set destroyed_at = $2 where key_id = $1 and destroyed_at is null", [
    keyId,
    at,
  ]);
}
