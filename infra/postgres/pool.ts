import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { faultOf } from "./postgres-errors.ts";

export type Pool = pg.Pool;
export type Client = pg.PoolClient;

// 64-bit integers arrive as numbers; none exceeds 2^53, and strings would compare wrongly.
const bigintType = 20;

/** A server that has gone silent; a responsive one ends a statement first. */
export const silentAfterMs = 35_000;
export const connectsWithinMs = 10_000;
export const idleInTransactionMs = 30_000;

/** A pool with explicit timeouts: 30 s for a statement, 10 s for a lock, 30 s for an idle transaction. */
export function createPool(connectionString: string, max = 16): Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: connectsWithinMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    query_timeout: silentAfterMs,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    application_name: "certificates",
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === bigintType && format !== "binary" ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // A server restart ends idle connections, in the pool or between two queries. Unhandled, that would end the process;
  // the next query on them fails with the reason.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** Fails as a write would, and as cheaply as a read, on a server that takes no writes. */
export const expectWrites = `do $$ begin
  if current_setting('transaction_read_only')::boolean then
    raise 'The server takes no writes.' using errcode = 'read_only_sql_transaction';
  end if;
end $$`;

/** A statement that is given up before a silent server is; its connection is then closed. pg's types lack the setting. */
export const givenUpAfter = (
  timeoutMs: number,
  text: string,
  values: unknown[],
): pg.QueryConfig & { query_timeout: number } => ({ text, values, query_timeout: timeoutMs });

/** Runs `work` in one transaction; any error rolls it back. */
export function inTransaction<T>(pool: Pool, work: (client: Client) => Promise<T>): Promise<T> {
  return between(pool, "begin", work);
}

/**
 * The same, without waiting for the disk: a crash of the server may undo the last moment's, in order. Only for what is
 * derived from the log, before its checkpoint or with it.
 */
export function inDerivedTransaction<T>(pool: Pool, work: (client: Client) => Promise<T>): Promise<T> {
  return between(pool, "begin; set local synchronous_commit = off", work);
}

async function between<T>(pool: Pool, begin: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    // A rollback would wait as long again for a silent server, and keep the connection to one that takes no writes.
    if (isLost(error)) client.release(true);
    // A connection whose rollback fails must not go back to the pool.
    else
      await client.query("rollback").then(
        () => client.release(),
        (fault: Error) => client.release(fault),
      );
    throw error;
  }
}

function isLost(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (faultOf(each) === "lost") return true;
  return false;
}

const endsWithinMs = 1000;

/** Ends a connection, whatever state it is in, without waiting long for a server that does not answer. Never throws. */
export async function endClient(client: pg.Client): Promise<void> {
  const gaveUp = new AbortController();
  // A connection that is broken already cannot be ended any better.
  const ended = client.end().catch(() => undefined);
  await Promise.race([
    ended,
    delay(endsWithinMs, undefined, { signal: gaveUp.signal }).catch(() => undefined),
  ]);
  gaveUp.abort();
}
