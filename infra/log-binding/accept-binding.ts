import { readDigest } from "../audit/audit-records.ts";
import type { EventStore, Position } from "../event-store/event-store.ts";
import type { FollowerKey } from "../following/lease.ts";
import type { Client, Pool } from "../postgres/pool.ts";
import { eventIfThere } from "./known-checkpoints.ts";

/** The follower whose digest is stored beside its checkpoint. */
const auditor = "auditor";

type Row = FollowerKey & { readonly position: Position; readonly eventId: string };

/** The followers at an event that the log lacks: their read models must be derived again. */
export async function lostFollowers(
  pool: Pool,
  store: Pick<EventStore, "eventAt">,
): Promise<readonly FollowerKey[]> {
  const { rows } = await pool.query<Row>(
    `select name, version, position, event_id as "eventId" from follower_checkpoints where position <> '' order by name, version`,
  );
  const isLost = async ({ position, eventId }: Pick<Row, "position" | "eventId">) =>
    (await eventIfThere(store, position))?.id !== eventId;
  const digest = await readDigest(pool);
  const isDigestLost = digest.position !== "" && (await isLost(digest));
  const lost: FollowerKey[] = [];
  for (const row of rows)
    if ((row.name === auditor && isDigestLost) || (await isLost(row)))
      lost.push({ name: row.name, version: row.version });
  return lost;
}

/** Lets followers restart from the beginning at their next start. */
export async function forgetCheckpoints(client: Client, lost: readonly FollowerKey[]): Promise<void> {
  for (const { name, version } of lost)
    await client.query("delete from followers where name = $1 and version = $2", [name, version]);
  if (lost.some(({ name }) => name === auditor)) await client.query("delete from audit_digest");
}

/**
 * Binds the database to a log in its current state, with this many events.
 * @param begunAt for a database that is not bound yet
 */
export async function acceptBinding(
  client: Client,
  { logId, events, begunAt }: { logId: string; events: number; begunAt: Date | null },
): Promise<void> {
  await client.query(
    `update installation set bound_log = $1, accepted_events = $2, newest_position = null, newest_event = null,
       begun_at = case when bound_log is null then $3 else begun_at end`,
    [logId, events, begunAt],
  );
}
