import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import { inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import { idDeriver } from "../../vault/vault.ts";
import { type CopiedEvent, LifeToCopy, orderMarksOf, pastLife } from "./copied-lives.ts";
import type { Ending } from "./life-steps.ts";
import type { SeedInfrastructure } from "./seed-system.ts";
import { pickWeighted, seededRandom } from "./seeded-random.ts";

type BulkInfrastructure = Pick<SeedInfrastructure, "pool"> & {
  readonly secrets: Pick<SeedInfrastructure["secrets"], "secret">;
};
type BulkRequest = { readonly orders: number; readonly seed: number };

const dayMs = 86_400_000;
const lives = 400;
const retentionDays = 365;
/** Even the latest ended long enough ago for its contact data to be purged. */
const youngestDays = retentionDays + 30;
const spreadDays = 730;
/** Orders per transaction, each holding the log's lock. */
const perTransaction = 5_000;

/**
 * Writes past orders straight into the log, chained and in order: their lives were decided by the domain, and each is a
 * copy of one of them. All have ended and are purged, since none of their data was ever in the vault.
 * @returns the number of events
 */
export async function seedBulk(
  infrastructure: BulkInfrastructure,
  { orders, seed }: BulkRequest,
): Promise<number> {
  const random = seededRandom(seed);
  const deriveId = idDeriver(await infrastructure.secrets.secret("id-namespace"));
  const toCopy = Array.from(
    { length: lives },
    () => new LifeToCopy(pastLife(random, endingOf(random), retentionDays)),
  );
  const newestMs = Date.now() - youngestDays * dayMs;
  let events = 0;
  for (let done = 0; done < orders; done += perTransaction) {
    const batch = Array.from({ length: Math.min(perTransaction, orders - done) }, (_, n) => {
      const life = toCopy[Math.floor(random() * lives)];
      if (!life) throw new RangeError("There are lives.");
      // Later orders begin later, as in a log that grew naturally.
      const share = (done + n) / orders;
      const startMs = Math.floor(newestMs - (1 - share) * spreadDays * dayMs);
      return life.events(orderMarksOf(deriveId, seed, done + n, startMs, life.length));
    });
    events += await copyEvents(infrastructure.pool, batch.flat());
  }
  return events;
}

const endingOf = (random: () => number): Ending =>
  pickWeighted<Ending>(random, [
    ["fulfilled", 86],
    ["expired", 7],
    ["cancelled", 3],
    ["failed", 1],
    ["notFound", 3],
  ]);

/** The lock held by every append until its commit: see the migration that creates `append_events`. */
const appendLock = 7_306_522;
/** Postgres counts from the year 2000, in microseconds. */
const postgresEpochMs = Date.UTC(2000, 0, 1);
const chunkBytes = 1 << 20;

const columns = "position, stream, revision, id, type, data, metadata, recorded_at";
const fields = 8;

/**
 * Appends events of new streams by binary COPY, in the given order, at the positions after the newest, under the lock
 * of every append, so no follower misses one.
 */
async function copyEvents(pool: Pool, events: readonly CopiedEvent[]): Promise<number> {
  return inTransaction(pool, async (client) => {
    await client.query("set local statement_timeout = 0");
    await client.query("select pg_advisory_xact_lock($1)", [appendLock]);
    const { rows } = await client.query<{ last: number }>(
      "select coalesce(max(position), 0)::bigint as last from events",
    );
    const target = client.query(copyFrom(`copy events (${columns}) from stdin (format binary)`));
    await pipeline(Readable.from(chunksOf(events, rows[0]?.last ?? 0)), target);
    await client.query("select pg_notify('events_appended', '')");
    return events.length;
  });
}

function* chunksOf(events: readonly CopiedEvent[], last: number): Generator<Buffer> {
  const header = Buffer.alloc(19);
  header.write("PGCOPY\n\xff\r\n\0", 0, "latin1");
  yield header;
  let chunk = Buffer.allocUnsafe(chunkBytes);
  let at = 0;
  for (const [n, event] of events.entries()) {
    const most = bytesOf(event);
    if (at + most > chunk.length) {
      yield chunk.subarray(0, at);
      chunk = Buffer.allocUnsafe(Math.max(chunkBytes, most));
      at = 0;
    }
    at = writeRow(chunk, at, event, last + n + 1);
  }
  yield chunk.subarray(0, at);
  yield Buffer.from([0xff, 0xff]);
}

/** Events are ASCII only: ids, codes, numbers and dates. */
const bytesOf = ({ stream, type, data, metadata }: CopiedEvent): number =>
  2 + fields * 4 + 8 + 4 + 16 + 8 + stream.length + type.length + data.length + metadata.length;

function writeRow(chunk: Buffer, start: number, event: CopiedEvent, position: number): number {
  let at = chunk.writeInt16BE(fields, start);
  const text = (value: string): void => {
    at = chunk.writeInt32BE(value.length, at);
    at += chunk.write(value, at, "latin1");
  };
  const int8 = (value: bigint): void => {
    at = chunk.writeBigInt64BE(value, chunk.writeInt32BE(8, at));
  };
  int8(BigInt(position));
  text(event.stream);
  at = chunk.writeInt32BE(event.revision, chunk.writeInt32BE(4, at));
  at = chunk.writeInt32BE(16, at);
  at += chunk.write(event.id.replaceAll("-", ""), at, "hex");
  text(event.type);
  text(event.data);
  text(event.metadata);
  int8(BigInt(event.atMs - postgresEpochMs) * 1000n);
  return at;
}
