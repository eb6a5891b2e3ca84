import type { Position } from "../event-store/event-store.ts";
import type { Client, Pool } from "../postgres/pool.ts";
import { OperatorError } from "../process/operator-error.ts";

/** Why a follower cannot continue. */
export type StopReason =
  /** Processing one event failed, and would again. */
  | "event-failed"
  /** So many streams are parked that the cause must be elsewhere. */
  | "too-many-parked"
  /** The log is not the checkpoint's. */
  | "other-log"
  /** The log lacks the checkpoint's event: it was restored to an earlier time. */
  | "checkpoint-missing"
  /** The log could not be read, for a permanent reason. */
  | "log-unreadable";

/** Identifies a follower. A new version starts from the beginning, alongside the old one. */
export type FollowerKey = { readonly name: string; readonly version: number };

/** Progress of the work. `eventId` and `logId` are null until the first event. */
export type Checkpoint = {
  readonly position: Position;
  readonly eventId: string | null;
  readonly logId: string | null;
};

/** The right to move a checkpoint until a higher fence is granted. */
export type Lease = Checkpoint & { readonly fence: number };

type FollowerRecord = Checkpoint & {
  readonly state: "running" | "stopped";
  readonly stopReason: StopReason | null;
  readonly stopPosition: Position | null;
};

/** Another process holds the lease: this process' transaction was rolled back. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

const byKey = "name = $1 and version = $2";
const leaseEnd = (parameter: string) => `clock_timestamp() + ${parameter} * interval '1 millisecond'`;
const lease = `position, event_id as "eventId", log_id as "logId", fence`;

/** Creates the follower's row at the beginning of the log, if missing. */
export async function register(pool: Pool, { name, version }: FollowerKey): Promise<void> {
  await pool.query("insert into followers (name, version) values ($1, $2) on conflict do nothing", [
    name,
    version,
  ]);
}

/**
 * Takes the lease if it is free, expired by the database's clock, or already this holder's. Each acquisition increments
 * the fence. A member's lease is never free: it is its subscription's.
 */
export async function acquire(
  pool: Pool,
  { name, version }: FollowerKey,
  holder: string,
  leaseMs: number,
): Promise<Lease | undefined> {
  const { rows } = await pool.query<Lease>(
    `update followers set lease_holder = $3, fence = fence + 1, lease_until = ${leaseEnd("$4")}
     where ${byKey} and (lease_until is null or lease_until < clock_timestamp() or lease_holder = $3)
     returning ${lease}`,
    [name, version, holder, leaseMs],
  );
  return rows[0];
}

/**
 * Renews the lease, and returns whether a retry of any parked stream was asked for.
 * @throws LeaseLost when the fence has increased
 */
export async function renew(
  pool: Pool,
  { name, version }: FollowerKey,
  fence: number,
  leaseMs: number,
): Promise<boolean> {
  const { rows } = await pool.query<{ isAsked: boolean }>({
    name: "renew-lease",
    text: `update followers set lease_until = ${leaseEnd("$4")} where ${byKey} and fence = $3
           returning exists (select from parked_streams where asked > answered) as "isAsked"`,
    values: [name, version, fence, leaseMs],
  });
  if (!rows[0]) throw new LeaseLost();
  return rows[0].isAsked;
}

/** Lets the next holder in at once instead of after expiry. */
export async function release(pool: Pool, { name, version }: FollowerKey, fence: number): Promise<void> {
  await pool.query(
    `update followers set lease_holder = null, lease_until = null where ${byKey} and fence = $3`,
    [name, version, fence],
  );
}

/** Deletes the row of a follower that is done, unless another process holds the lease. */
export async function remove(pool: Pool, { name, version }: FollowerKey, fence: number): Promise<void> {
  await pool.query(`delete from followers where ${byKey} and fence = $3`, [name, version, fence]);
}

/**
 * Moves the checkpoint inside the transaction that did the work, and renews the lease with it.
 * @throws LeaseLost when the fence has increased or the checkpoint is elsewhere: the transaction must roll back
 */
export async function moveCheckpoint(
  client: Client,
  { name, version }: FollowerKey,
  from: Lease,
  to: Checkpoint,
  leaseMs: number,
): Promise<void> {
  const { rowCount } = await client.query({
    name: "move-checkpoint",
    text: `update followers set position = $5, event_id = $6, log_id = $7, lease_until = ${leaseEnd("$8")}
           where ${byKey} and position = $3 and fence = $4`,
    values: [name, version, from.position, from.fence, to.position, to.eventId, to.logId, leaseMs],
  });
  if (rowCount !== 1) throw new LeaseLost();
}

/** Marks the follower as stopped and releases the lease: another process, perhaps with newer code, may try. */
export async function recordStop(
  pool: Pool,
  { name, version }: FollowerKey,
  fence: number,
  reason: StopReason,
  at: Position,
): Promise<void> {
  await pool.query(
    `update followers set state = 'stopped', stop_reason = $4, stop_position = $5, stopped_at = clock_timestamp(),
       lease_holder = null, lease_until = null
     where ${byKey} and fence = $3`,
    [name, version, fence, reason, at],
  );
}

/** Marks the follower as running again, once its checkpoint was found in the log. */
export async function recordRunning(pool: Pool, { name, version }: FollowerKey, fence: number) {
  await pool.query(
    `update followers set state = 'running', stop_reason = null, stop_position = null, stopped_at = null
     where ${byKey} and fence = $3 and state = 'stopped'`,
    [name, version, fence],
  );
}

/** A follower's state as every process sees it; undefined before its first start anywhere. */
export async function readFollower(
  pool: Pool,
  { name, version }: FollowerKey,
): Promise<FollowerRecord | undefined> {
  const { rows } = await pool.query<FollowerRecord>({
    name: "read-follower",
    text: `select position, event_id as "eventId", log_id as "logId", state, stop_reason as "stopReason",
             stop_position as "stopPosition" from follower_checkpoints where ${byKey}`,
    values: [name, version],
  });
  return rows[0];
}

/** @throws OperatorError while a process follows the log: nothing may change underneath it */
export async function refuseWhileFollowed(database: Pool | Client): Promise<void> {
  const { rowCount } = await database.query(
    "select from followers where subscription is null and lease_until > now() limit 1",
  );
  if (rowCount !== 0)
    throw new OperatorError(
      "The product is running on this database: stop it, wait 10 seconds, and run this again.",
    );
}
