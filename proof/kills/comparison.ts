import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { beginning, type EventStore, type Position } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { catalogue } from "../../projections/catalogue.ts";
import { eventsOf, type KnownOrder } from "../faults/done-once.ts";
import type { Site } from "../faults/site.ts";
import type { Acknowledged } from "./customers.ts";

/** @returns in words, each command that a customer was told of, and that is not in the log */
export async function lost(
  { pool, connectionString }: Site,
  journal: readonly Acknowledged[],
): Promise<string[]> {
  await using closing = new AsyncDisposableStack();
  const store = closing.adopt(createPostgresEventStore({ pool, connectionString }), (open) => open.close());
  const typesOf = new Map<string, Set<string>>();
  const streamAt = new Map<Position, string>();
  for (let after = beginning; ; ) {
    const events = await store.readAll(after, readAtOnce);
    for (const { stream, type, position } of events) {
      typesOf.set(stream, (typesOf.get(stream) ?? new Set()).add(type));
      streamAt.set(position, stream);
    }
    after = events.at(-1)?.position ?? after;
    if (events.length === 0) break;
  }
  return journal.flatMap(({ orderId, event, position }) => {
    const stream = `order-${orderId}`;
    const isThere = streamAt.get(position) === stream && typesOf.get(stream)?.has(event);
    return isThere ? [] : [`${orderId}: ${event} was acknowledged at ${position} and is not in the log`];
  });
}

const readAtOnce = 10_000;

/** Waits until each order's application was purged. @returns in words, each of which it was not, or twice */
export async function notPurgedOnce(
  pool: Pool,
  orders: readonly KnownOrder[],
  withinMs: number,
): Promise<string[]> {
  const purged = await until(
    withinMs,
    () => eventsOf(pool, "SensitiveDataPurged"),
    (times) => times.size >= orders.length,
  );
  return orders
    .map(({ id }) => ({ id, times: purged.get(id) ?? 0 }))
    .filter(({ times }) => times !== 1)
    .map(({ id, times }) => `${id}: SensitiveDataPurged ${times} times instead of 1`);
}

/** Rebuilds each read model from the log: it must have the same rows as before. */
export async function wrongReadModels({ pool, connectionString }: Site, withinMs: number): Promise<string[]> {
  await using closing = new AsyncDisposableStack();
  const store = closing.adopt(createPostgresEventStore({ pool, connectionString }), (open) => open.close());
  const compared = await until(
    withinMs,
    () => compareReadModels(pool, store),
    ({ isQuiet }) => isQuiet,
  );
  return compared.isQuiet ? compared.findings : ["the read models have not reached the end of the log"];
}

/** What it finds counts only if it is quiet: all follow to the end, and nothing was appended meanwhile. */
async function compareReadModels(pool: Pool, store: EventStore) {
  const head = await store.head();
  const behind = await pool.query("select from follower_checkpoints where position <> $1", [head]);
  if (behind.rowCount !== 0) return { isQuiet: false, findings: [] };
  const live = await readModelRows(pool);
  for (const projection of catalogue) await projection.rebuild({ pool, store, newId: randomUUID });
  const folded = await readModelRows(pool);
  const findings = [...folded].flatMap(([table, rows]) => {
    const before = new Set(live.get(table));
    const missing = rows.filter((row) => !before.has(row)).length;
    const surplus = before.size + missing - rows.length;
    return missing + surplus === 0
      ? []
      : [
          `${table} is not the fold of the log: ${missing} of ${rows.length} rows differ, ${surplus} are too many`,
        ];
  });
  return { isQuiet: (await store.head()) === head, findings };
}

async function readModelRows(pool: Pool): Promise<Map<string, readonly string[]>> {
  const { rows: tables } = await pool.query<{ place: string }>(
    "select quote_ident(schemaname) || '.' || quote_ident(tablename) as place from pg_tables where schemaname ~ '_v[0-9]+$' order by 1",
  );
  const found = new Map<string, readonly string[]>();
  for (const { place } of tables) {
    const { rows } = await pool.query<{ line: string }>(
      `select row_to_json(it)::text as line from ${place} it order by 1`,
    );
    found.set(
      place,
      rows.map(({ line }) => line),
    );
  }
  return found;
}

/** Asks until an answer will do, or for as long as is given. @returns the last answer */
async function until<Answer>(
  withinMs: number,
  ask: () => Promise<Answer>,
  willDo: (answer: Answer) => boolean,
): Promise<Answer> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (willDo(answer) || performance.now() > deadline) return answer;
    await delay(500);
  }
}
