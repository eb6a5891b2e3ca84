import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "../../infra/postgres/pool.ts";
import type { Site } from "./site.ts";
import type { SiteLog } from "./site-log.ts";

/** An order as its customer knows it. */
export type KnownOrder = { readonly id: string; readonly orderNumber: string; readonly isPaid: boolean };

/** What happens once in the life of each order, up to the request for its payment. */
const onceEach = ["OrderCreated", "VariantAdded", "PaymentRequested"] as const;
/** The same, of each that is paid. */
const oncePaid = ["PaymentConfirmed", "SubmissionRequested", "SubmittedToGRO"] as const;
const never = ["PaymentReceivedUnexpectedly", "RefundRequested"] as const;

const accepted = `select order_number as "order", count(*)::integer as times
  from sandbox.submissions where accepted_at is not null group by 1`;
const charged = `select metadata ->> 'orderId' as "order", count(*)::integer as times
  from sandbox.intents where status = 'succeeded' group by 1`;

/**
 * Waits until the last of these orders that are paid is submitted, then counts in the log, at the GRO and at the card provider.
 * @returns in words, each step that an order lacks or has twice, and each order that is not one of these
 */
export async function notDoneOnce(
  { pool, log }: Pick<Site, "pool" | "log">,
  orders: readonly KnownOrder[],
  withinMs: number,
): Promise<string[]> {
  const ids = new Set(orders.map(({ id }) => id));
  const paid = orders.filter(({ isPaid }) => isPaid);
  const paidIds = new Set(paid.map(({ id }) => id));
  const numbers = new Set(paid.map(({ orderNumber }) => orderNumber));
  await untilSubmitted(log, paid.length, withinMs);
  const findings: string[] = [];
  const compare = (what: string, expected: ReadonlySet<string>, times: ReadonlyMap<string, number>) => {
    for (const order of new Set([...expected, ...times.keys()])) {
      const [is, should] = [times.get(order) ?? 0, expected.has(order) ? 1 : 0];
      if (is !== should) findings.push(`${order}: ${what} ${is} times instead of ${should}`);
    }
  };
  for (const type of onceEach) compare(type, ids, await log.timesOf(type));
  for (const type of oncePaid) compare(type, paidIds, await log.timesOf(type));
  for (const type of never) compare(type, new Set(), await log.timesOf(type));
  compare("charged", paidIds, await timesOf(pool, charged));
  compare("accepted by the GRO", numbers, await timesOf(pool, accepted));
  return findings;
}

async function timesOf(pool: Pool, sql: string): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ order: string; times: number }>(sql);
  return new Map(rows.map(({ order, times }) => [order, times]));
}

async function untilSubmitted(log: SiteLog, orders: number, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline && (await log.timesOf("SubmittedToGRO")).size < orders) await delay(200);
}
