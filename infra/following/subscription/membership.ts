import { beginning, type Position } from "../../event-store/event-store.ts";
import { type Client, inTransaction, type Pool } from "../../postgres/pool.ts";
import { type Checkpoint, type FollowerKey, type Lease, LeaseLost } from "../lease.ts";

// A member's row names its subscription, whose row holds lease and checkpoint for it. Whatever changes members locks
// the subscription's row first, and its fence decides between two processes.

/** A follower's row, as processes that might follow for it see it. */
export type MemberRow = FollowerKey &
  Checkpoint & {
    readonly fence: number;
    readonly subscription: string | null;
    /** No process holds its lease, or its subscription's. */
    readonly isFree: boolean;
  };

/** The row of a subscription. */
export const sharedKey = (name: string): FollowerKey => ({ name, version: 1 });

const checkpoint = `position, event_id as "eventId", log_id as "logId"`;
const ofKeys = "(name, version) in (select * from unnest($1::text[], $2::integer[]))";
const valuesOf = (keys: readonly FollowerKey[]) => [
  keys.map(({ name }) => name),
  keys.map(({ version }) => version),
];

/** Creates the missing rows of a subscription and of followers. */
export async function registerAll(pool: Pool, shared: string, keys: readonly FollowerKey[]): Promise<void> {
  await pool.query(
    `insert into followers (name, version, is_shared)
     select name, version, false from unnest($1::text[], $2::integer[]) as keys (name, version)
     union all select $3, 1, true
     on conflict do nothing`,
    [...valuesOf(keys), shared],
  );
}

export async function readMembers(
  database: Pool | Client,
  keys: readonly FollowerKey[],
): Promise<readonly MemberRow[]> {
  const { rows } = await database.query<MemberRow>({
    name: "read-members",
    text: `select own.name, own.version, own.subscription, own.fence, own.position, own.event_id as "eventId",
             own.log_id as "logId", coalesce(seen.lease_until < clock_timestamp(), true) as "isFree"
           from followers as own join follower_checkpoints as seen using (name, version)
           where ${ofKeys.replace("(name, version)", "(own.name, own.version)")}`,
    values: valuesOf(keys),
  });
  return rows;
}

/**
 * Locks the row of a subscription.
 * @throws LeaseLost when the fence has increased
 */
export async function lockShared(client: Client, shared: string, fence: number): Promise<void> {
  const { rowCount } = await client.query(
    "select from followers where is_shared and name = $1 and fence = $2 for update",
    [shared, fence],
  );
  if (rowCount !== 1) throw new LeaseLost();
}

/** Moves a subscription without members to where its first members are. */
export async function rebase(client: Client, shared: string, to: Checkpoint): Promise<void> {
  await client.query(
    "update followers set position = $2, event_id = $3, log_id = $4 where is_shared and name = $1",
    [shared, to.position, to.eventId, to.logId],
  );
}

/**
 * Makes members of followers that are where the subscription is.
 * @throws LeaseLost when one was taken meanwhile
 */
export async function join(
  client: Client,
  shared: string,
  followers: readonly (FollowerKey & { readonly fence: number })[],
): Promise<void> {
  if (followers.length === 0) return;
  const { rowCount } = await client.query(
    `update followers set subscription = $4, fence = followers.fence + 1, lease_holder = null, lease_until = 'infinity',
       state = 'running', stop_reason = null, stop_position = null, stopped_at = null
     from unnest($1::text[], $2::integer[], $3::bigint[]) as joining (name, version, fence)
     where (followers.name, followers.version, followers.fence) = (joining.name, joining.version, joining.fence)
       and subscription is null`,
    [...valuesOf(followers), followers.map(({ fence }) => fence), shared],
  );
  if (rowCount !== followers.length) throw new LeaseLost();
}

const leaving = `subscription = null, position = $2, event_id = $3, log_id = $4, fence = fence + 1, lease_holder = null,
  lease_until = null`;

/** Gives members a checkpoint each; those that another process already released are left alone. */
export async function leave(
  client: Client,
  shared: string,
  keys: readonly FollowerKey[],
  { position, eventId, logId }: Checkpoint,
): Promise<void> {
  await client.query(
    `update followers set ${leaving}
     where subscription = $1 and (name, version) in (select * from unnest($5::text[], $6::integer[]))`,
    [shared, position, eventId, logId, ...valuesOf(keys)],
  );
}

/** Gives a checkpoint each to members that the new holder of the subscription does not know: another build does. */
export async function leaveOthers(
  client: Client,
  shared: string,
  known: readonly FollowerKey[],
  { position, eventId, logId }: Checkpoint,
): Promise<void> {
  await client.query(
    `update followers set ${leaving}
     where subscription = $1 and (name, version) not in (select * from unnest($5::text[], $6::integer[]))`,
    [shared, position, eventId, logId, ...valuesOf(known)],
  );
}

/** Frees members of subscriptions whose lease has lapsed: for processes with other subscriptions. */
export async function leaveLapsed(pool: Pool, keys: readonly FollowerKey[]): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ name: string } & Checkpoint>(
      `update followers set fence = fence + 1, lease_holder = null, lease_until = null
       where is_shared and coalesce(lease_until < clock_timestamp(), true)
         and name in (select subscription from followers where ${ofKeys})
       returning name, ${checkpoint}`,
      valuesOf(keys),
    );
    for (const lapsed of rows) await leave(client, lapsed.name, keys, lapsed);
  });
}

/**
 * Takes a follower's lease from any holder; a member leaves its subscription.
 * @throws LeaseLost when it was taken meanwhile
 */
export async function seize(
  pool: Pool,
  { name, version }: FollowerKey,
  holder: string,
  leaseMs: number,
): Promise<Lease> {
  return inTransaction(pool, async (client) => {
    const member = await client.query<{ subscription: string | null }>(
      "select subscription from followers where name = $1 and version = $2",
      [name, version],
    );
    const shared = member.rows[0]?.subscription ?? null;
    if (shared !== null) {
      // The subscription's holder keeps its lease, and finds out at its next commit that it has a member less.
      const { rows } = await client.query<Checkpoint>(
        `update followers set fence = fence + 1 where is_shared and name = $1 returning ${checkpoint}`,
        [shared],
      );
      if (rows[0]) await leave(client, shared, [{ name, version }], rows[0]);
    }
    const { rows } = await client.query<Lease>(
      `update followers set lease_holder = $3, fence = fence + 1,
         lease_until = clock_timestamp() + $4 * interval '1 millisecond'
       where name = $1 and version = $2 and subscription is null returning ${checkpoint}, fence`,
      [name, version, holder, leaseMs],
    );
    if (!rows[0]) throw new LeaseLost();
    return rows[0];
  });
}

/**
 * Reads effective positions, whether by followers' own rows or by a subscription's. One question answers all that wait
 * at the same time.
 */
export function readsPositions(
  pool: Pool,
  keys: () => readonly FollowerKey[],
): (key: FollowerKey) => Promise<Position> {
  let reading: Promise<readonly (FollowerKey & { readonly position: Position })[]> | undefined;

  async function read() {
    const { rows } = await pool.query<FollowerKey & { position: Position }>({
      name: "read-positions",
      text: `select name, version, position from follower_checkpoints where ${ofKeys}`,
      values: valuesOf(keys()),
    });
    return rows;
  }

  return async ({ name, version }) => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    const rows = await reading;
    return rows.find((row) => row.name === name && row.version === version)?.position ?? beginning;
  };
}
