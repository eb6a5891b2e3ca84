import { randomUUID } from "node:crypto";
import { type EventStore, WrongExpectedRevision } from "../../infra/event-store/event-store.ts";
import { seal } from "../../infra/event-store/hash-chain.ts";
import type { JsonObject } from "../../infra/json.ts";
import { inTransaction, type Pool } from "../../infra/postgres/pool.ts";

/** Changes the events table as a database owner could, bypassing the trigger that refuses it. */
export async function tamper(pool: Pool, sql: string, values: readonly unknown[]): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("alter table events disable trigger log_only_grows");
    await client.query(sql, [...values]);
    await client.query("alter table events enable always trigger log_only_grows");
  });
}

/** Replaces an event's hash, or restores it. Returns the previous one. */
export async function changeHash(
  pool: Pool,
  stream: string,
  revision: number,
  hash = "0".repeat(64),
): Promise<string> {
  const { rows } = await pool.query<{ hash: string }>(
    "select metadata ->> 'hash' as hash from events where stream = $1 and revision = $2",
    [stream, revision],
  );
  await tamper(
    pool,
    `update events set metadata = replace(metadata::text, metadata ->> 'hash', $3)::json
     where stream = $1 and revision = $2`,
    [stream, revision, hash],
  );
  const [row] = rows;
  if (!row) throw new Error(`There is no event ${revision} of ${stream}.`);
  return row.hash;
}

type Written = { readonly type: string; readonly data: JsonObject };

/** Appends an event with a valid hash, readable or not, even while the product appends to the stream. */
export async function appendSealed(store: EventStore, stream: string, event: Written): Promise<void> {
  try {
    await appendAfterLast(store, stream, event);
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
    await appendSealed(store, stream, event);
  }
}

/** The same with a wrong hash. Returns the right one, with which `changeHash` repairs it. */
export async function appendDamaged(
  store: EventStore,
  stream: string,
  event: Written,
): Promise<{ revision: number; hash: string }> {
  try {
    return await appendAfterLast(store, stream, event, "0".repeat(64));
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
    return appendDamaged(store, stream, event);
  }
}

/** @param wrongHash in place of its own, which is returned */
async function appendAfterLast(
  store: EventStore,
  stream: string,
  event: Written,
  wrongHash?: string,
): Promise<{ revision: number; hash: string }> {
  const last = (await store.readStream(stream)).at(-1);
  if (!last) throw new Error(`There is no event of ${stream}.`);
  const { hash, previousHash: _, ...metadata } = last.metadata;
  const link = { stream, revision: last.revision + 1, previousHash: String(hash) };
  const made = { id: randomUUID(), ...event, metadata: { ...metadata, commandId: randomUUID() } };
  const sealed = seal(made, link);
  const written = wrongHash === undefined ? {} : { hash: wrongHash };
  await store.append({
    stream,
    expectedRevision: last.revision,
    events: [{ ...sealed, metadata: { ...sealed.metadata, ...written } }],
  });
  return { revision: link.revision, hash: sealed.metadata.hash };
}
