import type { Pool } from "../../../infra/postgres/pool.ts";
import { ordersTable } from "../../../projections/orders/orders.ts";

/** What the list shows of an order that SQL can say without the domain's rules. */
const columns = [
  "created_at",
  "paid_at",
  "updated_at",
  "total_pence",
  "despatch_by",
  "paid_pence",
  "submitted_at",
  "seconds_to_purge",
].join(", ");

const folded = `
  select substr(stream, 7)::uuid as key, max(revision) as revision,
    min(at) as created_at,
    coalesce(max(at) filter (where type = 'PaymentConfirmed'), '9999-12-31T00:00:00Z') as paid_at,
    max(at) as updated_at,
    coalesce(
      (array_agg((data->>'totalPence')::integer order by revision desc)
        filter (where type in ('VariantAdded', 'VariantReplaced')))[1],
      max((data->>'quotedTotalPence')::integer) filter (where type = 'OrderCreated')
    ) as total_pence,
    coalesce(
      (array_agg((data->'promise'->>'despatchBy')::date order by revision desc)
        filter (where data->'promise'->>'despatchBy' is not null))[1],
      '9999-12-31'
    ) as despatch_by,
    coalesce(sum((data->>'amountPence')::integer) filter (where type = 'PaymentConfirmed'), 0)::integer as paid_pence,
    min((data->>'submittedAt')::timestamptz) filter (where type = 'SubmittedToGRO') as submitted_at,
    (array_agg((data->>'secondsSinceSubmission')::integer order by revision desc)
      filter (where type = 'SensitiveDataPurged'))[1] as seconds_to_purge
  from (select stream, revision, type, data, (metadata->>'at')::timestamptz as at from events
    where stream like 'order-%') as event
  group by stream`;

/** The statements of a rebuild in SQL alone: rows, indexes on what it has, and a vacuum. */
export async function rebuildInSql(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query("begin");
    await client.query("drop schema if exists set_based cascade");
    await client.query("create schema set_based");
    await client.query(`create table set_based.orders as ${folded}`);
    await client.query("alter table set_based.orders add primary key (key)");
    for (const column of ["created_at", "paid_at", "updated_at", "total_pence", "despatch_by"])
      await client.query(`create index on set_based.orders (${column}, key)`);
    await client.query("commit");
    await client.query("vacuum (analyze) set_based.orders");
  } finally {
    client.release(true);
  }
}

/** Orders in which the two differ in a column that both have. */
export async function differing(pool: Pool): Promise<number> {
  const both = (table: string) => `select key, revision, ${columns} from ${table}`;
  const [ours, theirs] = [ordersTable, "set_based.orders"];
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::integer as n from (
      (${both(ours)} except ${both(theirs)}) union (${both(theirs)} except ${both(ours)})
    ) as differing`,
  );
  return rows[0]?.n ?? 0;
}
