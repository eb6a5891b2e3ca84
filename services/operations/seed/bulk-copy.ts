import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import { inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import type { CopiedEvent } from "./copied-lives.ts";

/** The lock that every append holds until it is committed: see the migration that makes `append_events`. */
const appendLock = 7_306_522;
/** Postgres counts from the year 2000, in microseconds. */
const postgresEpochMs = Date.UTC(2000, 0, 1);
const chunkBytes = 1 << 20;

const columns = "position, stream, revision, id, type, data, metadata, recorded_at";
const fields = 8;

/**
 * Appends events of new streams by binary COPY, in the order given, with the positions that follow the newest: under the lock that every
 * append takes, so that no follower misses one.
 */
export async function copyEvents(pool: Pool, events: readonly CopiedEvent[]): Promise<number> {
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

/** Everything in an event is ASCII: ids, codes, numbers and dates. */
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
