import type { Position } from "../../../infra/event-store/event-store.ts";
import { refuseWhileFollowed } from "../../../infra/following/lease.ts";
import { type Client, inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";

/** @throws OperatorError if the database belongs to a log other than the one to copy */
export async function refuseOtherLog(pool: Pool, logId: string): Promise<void> {
  const { rows } = await pool.query<{ bound: string }>(
    "select bound_log as bound from installation where bound_log <> $1",
    [logId],
  );
  const [other] = rows;
  if (other)
    throw new OperatorError(
      `This database belongs to log ${other.bound.slice(0, 8)}, and the source holds log ${logId.slice(0, 8)}: set EVENTSTORE_URL or DATABASE_URL to those that belong together.`,
    );
}

/** Everything in the database with a position in the log: table, position and id of the event there. */
const standing = [
  ["followers", "position", "event_id::text"],
  ["parked_streams", "position", "event_id::text"],
  ["audit_digest", "position", "event_id"],
  ["transparency_tree", "position", "event_id"],
  ["transparency_marks", "position", "event_id"],
  ["installation", "newest_position", "newest_event::text"],
] as const;

export async function checkpointEvents(pool: Pool): Promise<ReadonlySet<string>> {
  const parts = standing.map(
    ([table, position, id]) => `select ${id} as id from ${table} where ${position} <> ''`,
  );
  const { rows } = await pool.query<{ id: string }>(parts.join(" union "));
  return new Set(rows.map(({ id }) => id));
}

/**
 * Translates every stored position to the new log, all of them or none, so nothing is rebuilt or repeated. Positions
 * are found by their events, so it does not matter which store the old ones came from.
 * @param positions in the new log, by event id
 * @returns the number of changed positions
 * @throws OperatorError for an event that is not in the copy, or while a process follows the log
 */
export async function carryCheckpoints(
  pool: Pool,
  positions: ReadonlyMap<string, Position>,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    await client.query("lock table followers in exclusive mode");
    await refuseWhileFollowed(client);
    let changed = 0;
    for (const place of standing) changed += await carry(client, place, positions);
    // The position of a stop belongs to the old log, and is retried at the next start.
    await client.query("update followers set stop_position = null where stop_position is not null");
    return changed;
  });
}

async function carry(
  client: Client,
  [table, position, id]: (typeof standing)[number],
  positions: ReadonlyMap<string, Position>,
): Promise<number> {
  const there = `${position} <> '' and not exists (select from unnest($1::text[]) as copied (id) where copied.id = ${id})`;
  const { rowCount: missing } = await client.query(`select from ${table} where ${there} limit 1`, [
    [...positions.keys()],
  ]);
  if (missing !== 0)
    throw new OperatorError("The product was running while its log was copied: stop it, and run this again.");
  const { rowCount } = await client.query(
    `update ${table} set ${position} = copied.position
     from unnest($1::text[], $2::text[]) as copied (id, position)
     where ${table}.${position} <> '' and copied.id = ${id} and copied.position <> ${table}.${position}`,
    [[...positions.keys()], [...positions.values()]],
  );
  return rowCount ?? 0;
}
