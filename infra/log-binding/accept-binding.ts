import { readDigest } from "../audit/audit-records.ts";
import type { EventStore, Position } from "../event-store/event-store.ts";
import type { FollowerKey } from "../following/lease.ts";
import type { Client, Pool } from "../postgres/pool.ts";
import { treeFollower } from "../transparency/tree-follower.ts";
import { forgetTree, readReach } from "../transparency/tree-records.ts";
import { eventIfThere } from "./known-checkpoints.ts";

/** A follower that stores what it has read beside its checkpoint, as the tree's does. */
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
  const lostRecords = new Set<string>();
  for (const [name, at] of [
    [auditor, await readDigest(pool)],
    [treeFollower, await readReach(pool)],
  ] as const)
    if (at.position !== "" && (await isLost(at))) lostRecords.add(name);
  const lost: FollowerKey[] = [];
  for (const row of rows)
    if (lostRecords.has(row.name) || (await isLost(row))) lost.push({ name: row.name, version: row.version });
  return lost;
}

/** Lets followers restart from the beginning at their next start. */
export async function forgetCheckpoints(client: Client, lost: readonly FollowerKey[]): Promise<void> {
  for (const { name, version } of lost)
    await client.query("delete from followers where name = $1 and version = $2", [name, version]);
  if (lost.some(({ name }) => name === auditor)) await client.query("delete from audit_digest");
  if (lost.some(({ name }) => name === treeFollower)) await forgetTree(client);
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
