import { nameOfFault } from "../../../infra/following/follower-faults.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { isStorageFault } from "../../../infra/storage/storage-watch.ts";
import type { Desk } from "../../orders/dependencies.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import { takePaymentNotice } from "../../orders/payments/take-payment-notice.ts";
import { type PaymentNotice, PaymentsRefused } from "../../providers/stripe/payments.ts";
import { placeOf } from "../perform-task.ts";

/** A webhook has so long to come by itself. */
export const patienceSeconds = 600;
/** Of a hundred events each; what is left over waits for the next turn. */
const mostPages = 10;
/** So often a page is tried again, ten minutes apart, before what failed on it is given up for what lies behind. */
const mostTries = 6;

export type LostNoticesParts = { readonly pool: Pool; readonly desk: Desk };

/**
 * Asks the payment provider which of its events no webhook brought us, and takes each as if it had. This finds what the log has never heard
 * of: disputes, and refunds made by hand at the provider. Any number of processes may do it side by side: one at a time has the turn.
 * @throws PaymentsUnavailable, PaymentsRefused, or a fault of the database: the next turn goes on from the same place
 */
export async function searchLostNotices(parts: LostNoticesParts, signal: AbortSignal): Promise<void> {
  const { pool, desk } = parts;
  const now = desk.now();
  const place = await claimSearch(pool, now);
  if (place === undefined) return;
  const until = place.until ?? new Date(now.getTime() - patienceSeconds * 1000);
  if (until <= place.from) return keepPlace(pool, { ...place, until: null, after: null, tries: 0 });
  let here: SearchPlace & { until: Date } = { ...place, until };
  for (let page = 0; page < mostPages && !signal.aborted; page += 1) {
    const { notices, next } = await pageAt(parts, here);
    const failed = await takeAll(desk, notices, signal);
    // The next turn begins this page again: what was taken of it changes nothing twice.
    if (signal.aborted) return;
    if (failed > 0 && here.tries + 1 < mostTries) return keepPlace(pool, { ...here, tries: here.tries + 1 });
    if (failed > 0)
      desk.log.error({ failed }, "notices of the payment provider are given up: see its dashboard");
    if (next === undefined) return keepPlace(pool, { from: until, until: null, after: null, tries: 0 });
    here = { ...here, after: next, tries: 0 };
    await keepPlace(pool, here);
  }
}

/** The next page of a walk; where the provider has forgotten the event to go on from, the walk begins again at its next turn. */
async function pageAt({ pool, desk }: LostNoticesParts, here: SearchPlace & { until: Date }) {
  try {
    return await desk.payments.undeliveredNotices(here, here.after ?? undefined);
  } catch (error) {
    const isLost = error instanceof PaymentsRefused && error.code !== "unauthorized" && here.after !== null;
    if (isLost) await keepPlace(pool, { ...here, until: null, after: null, tries: 0 });
    throw error;
  }
}

/** The oldest first, as webhooks come. @returns how many could not be taken, all of which may come again */
async function takeAll(desk: Desk, notices: readonly PaymentNotice[], signal: AbortSignal): Promise<number> {
  let failed = 0;
  for (const notice of notices.toReversed()) {
    if (signal.aborted) return failed;
    try {
      await take(desk, notice);
    } catch (error) {
      // That is no try of the page: the next turn begins it again.
      if (isStorageFault(error)) throw error;
      failed += 1;
      const { eventId, kind } = notice;
      const fault = { eventId, kind, code: nameOfFault(error), place: placeOf(error) };
      desk.log.warn(fault, "a lost notice could not be taken");
    }
  }
  return failed;
}

async function take(desk: Desk, notice: PaymentNotice): Promise<void> {
  const by: OnBehalf = { actor: { kind: "system", id: "reconciliation" }, correlationId: desk.newId() };
  const watched = watchingOrders(desk);
  const told = await takePaymentNotice(watched.desk, notice, by);
  if (told === undefined || !watched.hasMoved()) return;
  const { eventId, kind } = notice;
  desk.log.warn(
    { orderId: told.order.orderId, kind, eventId },
    "the payment provider knew what no notice had told",
  );
}

/** A notice that was merely late moves nothing any more, and is no reason to look at the webhook's endpoint. */
function watchingOrders(desk: Desk) {
  let moved = false;
  const tell: Desk["orders"]["tell"] = async (request) => {
    const { revision } = await desk.orders.load(request.orderId);
    const told = await desk.orders.tell(request);
    moved ||= told.revision > revision;
    return told;
  };
  return { desk: { ...desk, orders: { ...desk.orders, tell } }, hasMoved: () => moved };
}

/** How far the search for lost notices has come. */
type SearchPlace = {
  /** Everything that happened before is taken. */
  readonly from: Date;
  /** Where the walk under way began; null between two walks. */
  readonly until: Date | null;
  /** The event that it goes on from, towards older ones; null at its beginning. */
  readonly after: string | null;
  /** How often the page that comes next failed. */
  readonly tries: number;
};

/** So often one process looks. */
const searchEverySeconds = 600;
/** Stripe lists events of the last 30 days. */
const memorySeconds = 30 * 86_400;

/** Takes the turn, when it is time for one: whoever gets the place is alone with it for ten minutes, and one that dies has lost that turn alone. */
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

/** Writes down how far it has come. */
async function keepPlace(pool: Pool, { from, until, after, tries }: SearchPlace): Promise<void> {
  await pool.query(
    "update lost_notice_search set from_at = $1, until_at = $2, after_event = $3, tries = $4",
    [from, until, after, tries],
  );
}
