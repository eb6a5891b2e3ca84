import type { Duty } from "../../domain/order/duty.ts";
import type { Client, Pool } from "../../infra/postgres/pool.ts";

/** A duty as the list holds it: enough to name its job. */
export type ListedDuty = { orderId: string; name: string; kind: Duty["kind"]; dueAt: Date };

/** Makes the list of one order say exactly this, and leaves alone what it said already. */
export async function listDuties(client: Client, orderId: string, duties: readonly Duty[]): Promise<void> {
  const names = duties.map(({ name }) => name);
  await client.query("delete from duties where order_id = $1 and name <> all($2)", [orderId, names]);
  await client.query(
    `insert into duties (order_id, name, kind, due_at, look_at)
     select $1, name, kind, due_at, due_at
     from unnest($2::text[], $3::text[], $4::timestamptz[]) as owed (name, kind, due_at)
     on conflict (order_id, name) do update set due_at = excluded.due_at, look_at = excluded.look_at
     where duties.due_at <> excluded.due_at`,
    [orderId, names, duties.map(({ kind }) => kind), duties.map(({ dueAt }) => dueAt)],
  );
}

/** What is to be looked at by now, the oldest first. */
export async function dutiesToLookAt(pool: Pool, now: Date, limit: number): Promise<ListedDuty[]> {
  const { rows } = await pool.query<ListedDuty>(
    `select order_id as "orderId", name, kind, due_at as "dueAt"
     from duties where look_at <= $1 order by look_at limit $2`,
    [now, limit],
  );
  return rows;
}

/** Takes a duty off the list: it was done, or is owed no longer. */
export async function settleDuty(pool: Pool, orderId: string, name: string): Promise<void> {
  await pool.query("delete from duties where order_id = $1 and name = $2", [orderId, name]);
}

/** Looks at a duty again later: after 15 s at first, then ever more rarely, every 5 minutes at last. */
export async function postponeDuty(pool: Pool, orderId: string, name: string, now: Date): Promise<void> {
  await pool.query(
    `update duties set tries = tries + 1, look_at = $3::timestamptz + interval '1 second' * least(300, 15 * 2 ^ least(tries, 5))
     where order_id = $1 and name = $2`,
    [orderId, name, now],
  );
}

/** Moments since which applications should have been destroyed, of those that are late by more than so many seconds. */
export async function latePurges(
  pool: Pool,
  now: Date,
  lateSeconds: number,
): Promise<{ orderId: string; dueAt: Date }[]> {
  const { rows } = await pool.query<{ orderId: string; dueAt: Date }>(
    `select order_id as "orderId", due_at as "dueAt" from duties
     where kind = 'purge' and name like 'purge-application-%' and due_at < $1::timestamptz - interval '1 second' * $2
     order by due_at limit 100`,
    [now, lateSeconds],
  );
  return rows;
}
