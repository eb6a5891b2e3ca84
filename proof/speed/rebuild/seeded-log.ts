import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { migrate } from "../../../infra/postgres/migrate.ts";
import { createPool } from "../../../infra/postgres/pool.ts";
import { seedBulk } from "../../../services/operations/seed/bulk-orders.ts";

/** A database with a log of past orders. */
export async function seededLog(
  closing: AsyncDisposableStack,
  connectionString: string,
  { orders, seed }: { readonly orders: number; readonly seed: number },
) {
  await migrate(connectionString);
  const pool = createPool(connectionString);
  closing.defer(() => pool.end());
  const store = createPostgresEventStore({ pool, connectionString });
  closing.defer(() => store.close());
  const events = await seedBulk(
    { pool, secrets: { secret: async () => Buffer.alloc(32, seed) } },
    { orders, seed },
  );
  await pool.query("vacuum (analyze) events");
  return { pool, store, events };
}
