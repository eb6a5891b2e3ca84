import { randomUUID } from "node:crypto";
import type { EventStore, Position } from "../../infra/event-store/event-store.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { catalogue } from "../../projections/catalogue.ts";
import type { Acknowledged, Customers } from "./customers.ts";
import { type KnownOrder, notDoneOnce } from "./done-once.ts";
import { type MailWatch, wrongMails } from "./mails.ts";
import type { Site } from "./site.ts";
import type { SiteLog } from "./site-log.ts";
import { until } from "./until.ts";

/** Of one kind. */
const mostFindings = 20;

/**
 * Compares what customers were told with the log, the sandboxes, the read models and the mails, once they have stopped.
 * @param withinMs for how long nothing may change that is still due
 */
export async function wrongAtTheEnd(
  site: Site,
  { orders, journal }: Customers,
  mails: MailWatch,
  withinMs: number,
): Promise<string[]> {
  return [
    ...few(await notDoneOnce(site, orders, withinMs)),
    ...few(await notPurgedOnce(site.log, orders, withinMs)),
    ...few(await lost(site, journal)),
    ...few(await wrongReadModels(site, withinMs)),
    ...few(await wrongMails(site, mails, withinMs)),
  ];
}

/** What customers sent and were told, and the mails that came of it, in words. */
export function traffic({ orders, journal, counts }: Customers, { arrivals }: MailWatch): string {
  const { requests, repeated } = counts;
  const again = [...arrivals.values()].filter((times) => times.length > 1).length;
  const sent = `${orders.length} orders, ${requests} requests, ${repeated} sent again, ${journal.length} acknowledged`;
  return `${sent}; ${arrivals.size} mails, ${again} sent again`;
}

/** The first of many findings of one kind. */
export const few = (findings: readonly string[]): readonly string[] => [
  ...findings.slice(0, mostFindings),
  ...(findings.length > mostFindings ? [`and ${findings.length - mostFindings} more like that`] : []),
];

/** @returns in words, each command that a customer was told of, and that is not in the log */
async function lost({ log }: Site, journal: readonly Acknowledged[]): Promise<string[]> {
  const typesOf = new Map<string, Set<string>>();
  const streamAt = new Map<Position, string>();
  for (const { stream, type, position } of await log.events()) {
    typesOf.set(stream, (typesOf.get(stream) ?? new Set()).add(type));
    streamAt.set(position, stream);
  }
  return journal.flatMap(({ streams, event, position }) => {
    const isThere =
      streams.includes(streamAt.get(position) ?? "") &&
      streams.every((stream) => typesOf.get(stream)?.has(event));
    return isThere
      ? []
      : [`${streams.join(", ")}: ${event} was acknowledged at ${position} and is not in the log`];
  });
}

/** Waits until each order's application was purged. @returns in words, each of which it was not, or twice */
async function notPurgedOnce(
  log: SiteLog,
  orders: readonly KnownOrder[],
  withinMs: number,
): Promise<string[]> {
  const purged = await until(
    withinMs,
    () => log.timesOf("SensitiveDataPurged"),
    (times) => times.size >= orders.length,
  );
  return orders
    .map(({ id }) => ({ id, times: purged.get(id) ?? 0 }))
    .filter(({ times }) => times !== 1)
    .map(({ id, times }) => `${id}: SensitiveDataPurged ${times} times instead of 1`);
}

/** Rebuilds each read model from the log: it must have the same rows as before. */
async function wrongReadModels({ pool, log }: Site, withinMs: number): Promise<string[]> {
  const compared = await until(
    withinMs,
    () => compareReadModels(pool, log.store),
    ({ isQuiet }) => isQuiet,
  );
  return compared.isQuiet ? compared.findings : ["the read models have not reached the end of the log"];
}

/** What it finds counts only if it is quiet: all follow to the end, and nothing was appended meanwhile. */
async function compareReadModels(pool: Pool, store: EventStore) {
  const head = await store.head();
  // An older version is wherever the last process of its build left it.
  const behind = await pool.query(
    "select from follower_checkpoints as one where position <> $1 and not exists (select from follower_checkpoints where name = one.name and version > one.version)",
    [head],
  );
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
