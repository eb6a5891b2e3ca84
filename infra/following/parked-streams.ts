import type { Position, StoredEvent } from "../event-store/event-store.ts";
import { StreamUnreadable, type UnreadableReason } from "../event-store/stream-unreadable.ts";
import type { Client, Pool } from "../postgres/pool.ts";
import type { FollowerKey } from "./lease.ts";

/** Why a follower could not go on with a stream: it cannot be read, or the database refuses a row that follows from it. */
export type ParkingReason = UnreadableReason | "row-refused";

/** A stream that one follower leaves alone until it has been put right. */
export type ParkedStream = FollowerKey & {
  readonly stream: string;
  /** Of the event that it failed at. */
  readonly position: Position;
  readonly eventId: string;
  readonly revision: number;
  readonly reason: ParkingReason;
  readonly since: Date;
  /** How often it was tried again, and when last. */
  readonly tries: number;
  readonly triedAt: Date | null;
  /** How often another try was asked for. */
  readonly asked: number;
  /** It waits to be tried again. */
  readonly isAsked: boolean;
};

/** SQLSTATE classes of what a value does: data exception, integrity constraint, program limit (a row or an index entry that is too large). */
const refusedClasses: ReadonlySet<string> = new Set(["22", "23", "54"]);

/** Why the stream of an event is to be parked; undefined for a fault that says nothing about the event, and would come with any other. */
export function parkingReasonOf(error: unknown): ParkingReason | undefined {
  if (error instanceof StreamUnreadable) return error.reason;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isRefused = typeof code === "string" && code.length === 5 && refusedClasses.has(code.slice(0, 2));
  return isRefused ? "row-refused" : undefined;
}

const byKey = "name = $1 and version = $2";
const columns = `name, version, stream, position, event_id as "eventId", revision, reason, since, tries, tried_at as "triedAt",
  asked, asked > answered as "isAsked"`;

/** Parks an event's stream. One that is parked already keeps its place. */
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

/** Lets a stream go on. */
export async function unpark(client: Client, { name, version }: FollowerKey, stream: string): Promise<void> {
  await client.query(`delete from parked_streams where ${byKey} and stream = $3`, [name, version, stream]);
}

/** Lets all streams of a follower go on: its work was done anew from the beginning. */
export async function unparkAll(client: Client, { name, version }: FollowerKey): Promise<void> {
  await client.query(`delete from parked_streams where ${byKey}`, [name, version]);
}

/** Notes a try that failed. What was asked for since it began remains to be done. */
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

/** What a follower leaves alone. */
export async function parkedOf(pool: Pool, { name, version }: FollowerKey): Promise<ParkedStream[]> {
  const { rows } = await pool.query<ParkedStream>(
    `select ${columns} from parked_streams where ${byKey} order by since`,
    [name, version],
  );
  return rows;
}

/** What a follower was asked to try again, what was tried least lately coming first. */
export async function toTryAgain(
  pool: Pool,
  { name, version }: FollowerKey,
  limit: number,
): Promise<ParkedStream[]> {
  const { rows } = await pool.query<ParkedStream>({
    name: "parked-streams-to-retry",
    text: `select ${columns} from parked_streams where ${byKey} and asked > answered
           order by tried_at nulls first, stream limit $3`,
    values: [name, version, limit],
  });
  return rows;
}

const ofKeys = "(name, version) in (select * from unnest($1::text[], $2::integer[]))";
const valuesOf = (keys: readonly FollowerKey[]) => [
  keys.map(({ name }) => name),
  keys.map(({ version }) => version),
];

/** What some followers leave alone, the longest first. */
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

/** How many streams some followers leave alone, each counted once. */
export async function countParked(pool: Pool, keys: readonly FollowerKey[]): Promise<number> {
  const { rows } = await pool.query<{ streams: number }>({
    name: "count-parked-streams",
    text: `select count(distinct stream)::integer as streams from parked_streams where ${ofKeys}`,
    values: valuesOf(keys),
  });
  return rows[0]?.streams ?? 0;
}

/**
 * Asks whichever process follows to try again: all parked streams of some followers, or one of them. Answers how many that are.
 * The follower does it itself, between two batches, so that no event of the stream falls between.
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
