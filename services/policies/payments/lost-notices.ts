import { nameOfError } from "../../../infra/following/follower-faults.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { isStorageError } from "../../../infra/telemetry/storage/storage-watch.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import { takePaymentNotice } from "../../orders/payments/payment-webhook.ts";
import { type PaymentNotice, PaymentsRefused } from "../../providers/stripe/payments.ts";
import { placeOf } from "../perform-task.ts";

/** Time allowed for a webhook to arrive. */
const patienceSeconds = 600;
/** Pages of a hundred events per turn; the rest waits for the next turn. */
const mostPages = 10;
/** Attempts at a page, ten minutes apart, before skipping what failed on it. */
const mostTries = 6;

type LostNoticesParts = { readonly pool: Pool; readonly deps: OrderDependencies };

/**
 * Asks the payment provider for events whose webhook never reached us, and handles each as if it had. Finds what the
 * log does not know of at all: disputes, and refunds made in the provider's dashboard. Safe to run in several
 * processes; one at a time has the turn.
 * @throws PaymentsUnavailable, PaymentsRefused, or a database error: the next turn resumes from the same place
 */
export async function searchLostNotices(parts: LostNoticesParts, signal: AbortSignal): Promise<void> {
  const { pool, deps } = parts;
  const now = deps.now();
  const place = await claimSearch(pool, now);
  if (place === undefined) return;
  const until = place.until ?? new Date(now.getTime() - patienceSeconds * 1000);
  if (until <= place.from) return keepPlace(pool, { ...place, until: null, after: null, tries: 0 });
  let here: SearchPlace & { until: Date } = { ...place, until };
  for (let page = 0; page < mostPages && !signal.aborted; page += 1) {
    const { notices, next } = await pageAt(parts, here);
    const failed = await takeAll(deps, notices, signal);
    // The next turn repeats this page; events already handled change nothing twice.
    if (signal.aborted) return;
    if (failed > 0 && here.tries + 1 < mostTries) return keepPlace(pool, { ...here, tries: here.tries + 1 });
    if (failed > 0) deps.log.error({ failed }, "payment provider notices are given up: see its dashboard");
    if (next === undefined) return keepPlace(pool, { from: until, until: null, after: null, tries: 0 });
    here = { ...here, after: next, tries: 0 };
    await keepPlace(pool, here);
  }
}

/**
 * The next page of a walk. Where the provider no longer has the event to resume from, the walk restarts on its next
 * turn.
 */
async function pageAt({ pool, deps }: LostNoticesParts, here: SearchPlace & { until: Date }) {
  try {
    return await deps.payments.undeliveredNotices(here, here.after ?? undefined);
  } catch (error) {
    const isLost = error instanceof PaymentsRefused && error.code !== "unauthorized" && here.after !== null;
    if (isLost) await keepPlace(pool, { ...here, until: null, after: null, tries: 0 });
    throw error;
  }
}

/** Oldest first, as webhooks arrive. @returns how many failed; all may be repeated */
async function takeAll(
  deps: OrderDependencies,
  notices: readonly PaymentNotice[],
  signal: AbortSignal,
): Promise<number> {
  let failed = 0;
  for (const notice of notices.toReversed()) {
    if (signal.aborted) return failed;
    try {
      await take(deps, notice);
    } catch (error) {
      // Not an attempt at the page: the next turn repeats it.
      if (isStorageError(error)) throw error;
      failed += 1;
      const { eventId, kind } = notice;
      const fault = { eventId, kind, code: nameOfError(error), place: placeOf(error) };
      deps.log.warn(fault, "a lost notice could not be handled");
    }
  }
  return failed;
}

async function take(deps: OrderDependencies, notice: PaymentNotice): Promise<void> {
  const by: OnBehalf = { actor: { kind: "system", id: "reconciliation" }, correlationId: deps.newId() };
  const watched = watchingOrders(deps);
  const result = await takePaymentNotice(watched.deps, notice, by);
  if (result === undefined || !watched.hasMoved()) return;
  const { eventId, kind } = notice;
  deps.log.warn(
    { orderId: result.order.orderId, kind, eventId },
    "the payment provider reported a change without a notice",
  );
}

/** A notice that was merely late changes nothing any more, and does not point to a broken webhook endpoint. */
function watchingOrders(deps: OrderDependencies) {
  let moved = false;
  const execute: OrderDependencies["orders"]["execute"] = async (request) => {
    const { revision } = await deps.orders.load(request.orderId);
    const result = await deps.orders.execute(request);
    moved ||= result.revision > revision;
    return result;
  };
  return { deps: { ...deps, orders: { ...deps.orders, execute } }, hasMoved: () => moved };
}

type SearchPlace = {
  /** Everything before this is handled. */
  readonly from: Date;
  /** Start of the current walk; null between walks. */
  readonly until: Date | null;
  /** The event to resume from, towards older ones; null at the start. */
  readonly after: string | null;
  /** Failed attempts at the next page. */
  readonly tries: number;
};

const searchEverySeconds = 600;
/** Stripe lists events of the last 30 days. */
const memorySeconds = 30 * 86_400;

/** Claims the turn if one is due. The claim lasts ten minutes; a process that dies loses only that turn. */
async function claimSearch(pool: Pool, now: Date): Promise<SearchPlace | undefined> {
  await pool.query(
    `insert into lost_notice_search (look_at, from_at)
     values ($1, $1::timestamptz - $2 * interval '1 second') on conflict do nothing`,
    [now, memorySeconds],
  );
  const { rows } = await pool.query<SearchPlace>(
    `update lost_notice_search set look_at = $1::timestamptz + $2 * interval '1 second' where look_at <= $1
     returning greatest(from_at, $1::timestamptz - $3 * interval '1 second') as "from",
       until_at as "until", after_event as "after", tries`,
    [now, searchEverySeconds, memorySeconds],
  );
  return rows[0];
}

async function keepPlace(pool: Pool, { from, until, after, tries }: SearchPlace): Promise<void> {
  await pool.query(
    "update lost_notice_search set from_at = $1, until_at = $2, after_event = $3, tries = $4",
    [from, until, after, tries],
  );
}
