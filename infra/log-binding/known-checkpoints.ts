import type { EventStore, Position, StoredEvent } from "../event-store/event-store.ts";
import type { Pool } from "../postgres/pool.ts";

/** An event of its log known to a database. */
export type KnownCheckpoint = {
  readonly position: Position;
  readonly eventId: string;
  /** Null when only the position was recorded. */
  readonly logId: string | null;
};

/** Every event recorded as a checkpoint in the database, newest first. */
export async function knownCheckpoints(pool: Pool): Promise<KnownCheckpoint[]> {
  const { rows } = await pool.query<KnownCheckpoint>(
    `select distinct on (position, event_id) position, event_id as "eventId", log_id as "logId" from (
       select position, event_id::text, log_id from followers where position <> ''
       union all select position, event_id, null from transparency_tree where position <> ''
       union all select newest_position, newest_event::text, bound_log from installation where newest_position is not null
     ) as known order by position desc, event_id, log_id`,
  );
  return rows;
}

/** The event at a position; undefined also for a position of another kind of log. */
export async function eventIfThere(
  store: Pick<EventStore, "eventAt">,
  position: Position,
): Promise<StoredEvent | undefined> {
  try {
    return await store.eventAt(position);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
