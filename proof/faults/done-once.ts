import type { Pool } from "../../infra/postgres/pool.ts";
import { wish } from "../speed/load/order.ts";
import type { Site } from "./site.ts";
import type { SiteLog } from "./site-log.ts";
import { until } from "./until.ts";

/** An order as its customer knows it. */
export type KnownOrder = {
  readonly id: string;
  readonly orderNumber: string;
  /** What becomes of it. One that is cancelled was paid for, and the money goes back. */
  readonly ending: "submitted" | "cancelled" | "unpaid";
  /** If it is paid for with others. */
  readonly checkoutId: string | undefined;
};

/** What happens once in the life of each order, up to the request for its payment. */
const onceEach = ["OrderCreated", "VariantAdded", "PaymentRequested"] as const;
/** The same, of each that is submitted. */
const onceSubmitted = ["SubmissionRequested", "SubmittedToGRO"] as const;
/** The same, of each that is cancelled. */
const onceCancelled = ["OrderCancelled", "RefundRequested", "RefundIssued"] as const;

const accepted = `select order_number as "order", count(*)::integer as times
  from sandbox.submissions where accepted_at is not null group by 1`;
const charged = `select coalesce(metadata ->> 'checkoutId', metadata ->> 'orderId') as "order", count(*)::integer as times
  from sandbox.intents where status = 'succeeded' group by 1`;
const refunded = "select coalesce(sum(amount), 0)::integer as pence from sandbox.refunds";

/**
 * Waits until the last of these orders is submitted or refunded, then counts in the log, at the GRO and at the card provider.
 * @returns in words, each step that an order lacks or has twice, and each order that is not one of these
 */
export async function notDoneOnce(
  { pool, log }: Pick<Site, "pool" | "log">,
  orders: readonly KnownOrder[],
  withinMs: number,
): Promise<string[]> {
  const idsOf = (some: readonly KnownOrder[]) => new Set(some.map(({ id }) => id));
  const paid = orders.filter(({ ending }) => ending !== "unpaid");
  const submitted = orders.filter(({ ending }) => ending === "submitted");
  const cancelled = orders.filter(({ ending }) => ending === "cancelled");
  await untilDone(log, { submitted: submitted.length, refunded: cancelled.length }, withinMs);
  const findings: string[] = [];
  const compare = (what: string, expected: ReadonlySet<string>, times: ReadonlyMap<string, number>) => {
    for (const order of new Set([...expected, ...times.keys()])) {
      const [is, should] = [times.get(order) ?? 0, expected.has(order) ? 1 : 0];
      if (is !== should) findings.push(`${order}: ${what} ${is} times instead of ${should}`);
    }
  };
  for (const type of onceEach) compare(type, idsOf(orders), await log.timesOf(type));
  compare("PaymentConfirmed", idsOf(paid), await log.timesOf("PaymentConfirmed"));
  for (const type of onceSubmitted) compare(type, idsOf(submitted), await log.timesOf(type));
  for (const type of onceCancelled) compare(type, idsOf(cancelled), await log.timesOf(type));
  compare("PaymentReceivedUnexpectedly", new Set(), await log.timesOf("PaymentReceivedUnexpectedly"));
  const payers = new Set(paid.map(({ id, checkoutId = id }) => checkoutId));
  compare("charged", payers, await timesOf(pool, charged));
  const numbers = new Set(submitted.map(({ orderNumber }) => orderNumber));
  compare("accepted by the GRO", numbers, await timesOf(pool, accepted));
  const { rows } = await pool.query<{ pence: number }>(refunded);
  const [is, should] = [rows[0]?.pence, cancelled.length * wish.totalPence];
  if (is !== should) findings.push(`${is} pence were refunded instead of ${should}`);
  return findings;
}

async function timesOf(pool: Pool, sql: string): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ order: string; times: number }>(sql);
  return new Map(rows.map(({ order, times }) => [order, times]));
}

async function untilDone(
  log: SiteLog,
  { submitted, refunded }: { readonly submitted: number; readonly refunded: number },
  withinMs: number,
): Promise<void> {
  const done = async () => ({
    submitted: (await log.timesOf("SubmittedToGRO")).size,
    refunded: (await log.timesOf("RefundIssued")).size,
  });
  await until(withinMs, done, (now) => now.submitted >= submitted && now.refunded >= refunded);
}
