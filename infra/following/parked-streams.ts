import type { Position, StoredEvent } from "../event-store/event-store.ts";
import { StreamUnreadable, type UnreadableReason } from "../event-store/stream-unreadable.ts";
import type { Client, Pool } from "../postgres/pool.ts";
import type { FollowerKey } from "./lease.ts";

/** Why a follower skipped a stream: it cannot be read, or the database refused a row derived from it. */
export type ParkingReason = UnreadableReason | "row-refused";

/** A stream that a follower skips until it is fixed. */
export type ParkedStream = FollowerKey & {
  readonly stream: string;
  /** Of the event where it failed. */
  readonly position: Position;
  readonly eventId: string;
  readonly revision: number;
  readonly reason: ParkingReason;
  readonly since: Date;
  /** Retries so far, and the last one. */
  readonly tries: number;
  readonly triedAt: Date | null;
  /** Retries requested so far. */
  readonly asked: number;
  /** A retry is pending. */
  readonly isAsked: boolean;
};

/**
 * SQLSTATE classes caused by a value: data exception, integrity constraint, program limit (a row or an index entry too
 * large).
 */
const refusedClasses: ReadonlySet<string> = new Set(["22", "23", "54"]);

/** Why to park an event's stream; undefined for an error unrelated to the event. */
export function parkingReasonOf(error: unknown): ParkingReason | undefined {
  if (error instanceof StreamUnreadable) return error.reason;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isRefused = typeof code === "string" && code.length === 5 && refusedClasses.has(code.slice(0, 2));
  return isRefused ? "row-refused" : undefined;
}

const byKey = "name = $1 and version = $2";
const columns = `name, version, stream, position, event_id as "eventId", revision, reason, since, tries, tried_at as "triedAt",
  asked, asked > answered as "isAsked"`;

/** Parks an event's stream. One parked earlier keeps its place. */
export async function park(
  client: Client,
  { name, version }: FollowerKey,
  { stream, position, id, revision }: StoredEvent,
  reason: ParkingReason,
): Promise<void> {
  await client.query(
    `insert into parked_streams (name, version, stream, position, event_id, revision, reason)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
    [name, version, stream, position, id, revision, reason],
  );
}

export async function unpark(client: Client, { name, version }: FollowerKey, stream: string): Promise<void> {
  await client.query(`delete from parked_streams where ${byKey} and stream = $3`, [name, version, stream]);
}

/** Unparks all streams of a follower that was rebuilt from the beginning. */
export async function unparkAll(client: Client, { name, version }: FollowerKey): Promise<void> {
  await client.query(`delete from parked_streams where ${byKey}`, [name, version]);
}

/** Records a failed retry. Requests since it began stay pending. */
export async function noteTry(
  client: Client,
  { name, version, stream, asked }: ParkedStream,
  reason: ParkingReason,
): Promise<void> {
  await client.query(
    `update parked_streams set reason = $4, tries = tries + 1, tried_at = clock_timestamp(), answered = $5
     where ${byKey} and stream = $3`,
    [name, version, stream, reason, asked],
  );
}

export async function parkedOf(pool: Pool, { name, version }: FollowerKey): Promise<ParkedStream[]> {
  const { rows } = await pool.query<ParkedStream>(
    `select ${columns} from parked_streams where ${byKey} order by since`,
    [name, version],
  );
  return rows;
}

const ofKeys = "(name, version) in (select * from unnest($1::text[], $2::integer[]))";
const valuesOf = (keys: readonly FollowerKey[]) => [
  keys.map(({ name }) => name),
  keys.map(({ version }) => version),
];

/** Streams to retry, least recently tried first. */
export async function toTryAgain(
  pool: Pool,
  keys: readonly FollowerKey[],
  limit: number,
): Promise<ParkedStream[]> {
  const { rows } = await pool.query<ParkedStream>({
    name: "parked-streams-to-retry",
    text: `select ${columns} from parked_streams where ${ofKeys} and asked > answered
           order by tried_at nulls first, stream limit $3`,
    values: [...valuesOf(keys), limit],
  });
  return rows;
}

/** Streams skipped by these followers, longest first. */
export async function listParked(
  pool: Pool,
  keys: readonly FollowerKey[],
  limit: number,
): Promise<ParkedStream[]> {
  const { rows } = await pool.query<ParkedStream>(
    `select ${columns} from parked_streams where ${ofKeys} order by since, stream, name limit $3`,
    [...valuesOf(keys), limit],
  );
  return rows;
}

/** Number of streams skipped by these followers, each counted once. */
export async function countParked(pool: Pool, keys: readonly FollowerKey[]): Promise<number> {
  const { rows } = await pool.query<{ streams: number }>({
    name: "count-parked-streams",
    text: `select count(distinct stream)::integer as streams from parked_streams where ${ofKeys}`,
    values: valuesOf(keys),
  });
  return rows[0]?.streams ?? 0;
}

/**
 * Requests a retry of all parked streams of some followers, or of one. Returns how many. The follower retries them
 * itself, between two batches, so that no event of the stream is missed.
 */
export async function askForRetry(
  pool: Pool,
  keys: readonly FollowerKey[],
  stream?: string,
): Promise<number> {
  const { rowCount } = await pool.query(
    `update parked_streams set asked = asked + 1
     where ${ofKeys} and ($3::text is null or stream = $3)`,
    [...valuesOf(keys), stream ?? null],
  );
  return rowCount ?? 0;
}
