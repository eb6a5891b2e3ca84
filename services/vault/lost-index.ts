import { inTransaction, type Pool } from "../../infra/postgres/pool.ts";

/**
 * Where the blind index holds nothing at all, it was lost, or there was nothing to find yet: every contact record is then due to be looked
 * at, which indexes anew what is to be found. All at once, for the first of them fills the index; no record is read while it holds anything.
 */
export async function lookForLostIndex({ pool, now }: { pool: Pool; now: () => Date }): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Millions of records take longer than the pool gives a statement.
    await client.query("set local statement_timeout = '30min'");
    await client.query(
      `update vault_records set due_at = $1, kept_days = null
       where kind in ('contact', 'ticketContact') and destroyed_at is null and due_at > $1
         and not exists (select from blind_index)`,
      [now()],
    );
  });
}
