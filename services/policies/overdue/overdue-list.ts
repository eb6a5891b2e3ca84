import { type CalendarDate, daysAfter } from "../../../domain/calendar-date.ts";
import {
  type OrderEvent,
  orderEventSchema,
  orderEventSchemas,
  orderIdOf,
} from "../../../domain/order/events.ts";
import type { StoredEvent } from "../../../infra/event-store/event-store.ts";
import { whileReading } from "../../../infra/event-store/stream-unreadable.ts";
import { createUpcast } from "../../../infra/event-store/upcasting.ts";
import type { FollowerKey } from "../../../infra/following/lease.ts";
import type { Subscribing } from "../../../infra/following/subscription/subscribing.ts";
import type { Client, Pool } from "../../../infra/postgres/pool.ts";
import { mostStatuses } from "../../providers/gro/automation-protocol.ts";

/** What a run of events, in order, changes about one order. */
type OverdueChange = {
  over?: true;
  /** The latest day on which the GRO should despatch it. */
  despatchBy?: CalendarDate;
  submitted?: boolean;
};

/** Orders asked about in one request. */
export const pageSize = Math.min(50, mostStatuses);
/** The morning after, once the day's last notice has had the night to arrive. */
const askFrom = (despatchBy: CalendarDate): Date => new Date(`${daysAfter(despatchBy, 1)}T06:00:00.000Z`);

/** A page is retried after this when its process died or the service did not answer. */
const leaseSeconds = 3_600;
const firstPauseSeconds = 86_400;
const longestPauseSeconds = 7 * 86_400;
/** After 1, 2, 4 and then every 7 days: about four months. Staff have had the order for two by then. */
const mostAsks = 20;

/** Applies the changes within the caller's transaction. */
async function noteOverdue(client: Client, changes: ReadonlyMap<string, OverdueChange>): Promise<void> {
  const over = [...changes].filter(([, change]) => change.over).map(([orderId]) => orderId);
  if (over.length > 0)
    await client.query("delete from overdue_orders where order_id = any($1::uuid[])", [over]);
  const rest = [...changes].filter(([, change]) => !change.over);
  const promised = rest.flatMap(([orderId, { despatchBy, submitted = false }]) =>
    despatchBy === undefined ? [] : [{ orderId, askAt: askFrom(despatchBy), submitted }],
  );
  if (promised.length > 0)
    await client.query(
      `insert into overdue_orders (order_id, ask_at, submitted)
     select * from unnest($1::uuid[], $2::timestamptz[], $3::boolean[])
     on conflict (order_id) do update set ask_at = excluded.ask_at, submitted = excluded.submitted, asks = 0`,
      [
        promised.map(({ orderId }) => orderId),
        promised.map(({ askAt }) => askAt),
        promised.map(({ submitted }) => submitted),
      ],
    );
  const moved = rest.flatMap(([orderId, { despatchBy, submitted }]) =>
    despatchBy !== undefined || submitted === undefined ? [] : [{ orderId, submitted }],
  );
  if (moved.length > 0)
    await client.query(
      `update overdue_orders set submitted = moved.submitted
     from unnest($1::uuid[], $2::boolean[]) as moved (order_id, submitted)
     where overdue_orders.order_id = moved.order_id`,
      [moved.map(({ orderId }) => orderId), moved.map(({ submitted }) => submitted)],
    );
}

/** Claims a page of orders due to be asked about, longest waiting first. Other processes skip them for an hour. */
export async function claimOverdue(pool: Pool, now: Date): Promise<string[]> {
  const { rows } = await pool.query<{ order_id: string }>(
    `update overdue_orders set ask_at = $1::timestamptz + $3 * interval '1 second'
     where order_id in (
       select order_id from overdue_orders where submitted and ask_at <= $1 order by ask_at limit $2
       for update skip locked)
     returning order_id`,
    [now, pageSize, leaseSeconds],
  );
  return rows.map(({ order_id }) => order_id);
}

/** Backs off orders that were answered, and finally leaves them to staff. */
export async function noteAnswered(pool: Pool, orderIds: readonly string[], now: Date): Promise<void> {
  await pool.query("delete from overdue_orders where order_id = any($1::uuid[]) and asks + 1 >= $2", [
    orderIds,
    mostAsks,
  ]);
  await pool.query(
    `update overdue_orders set asks = asks + 1, ask_at = $2::timestamptz
       + least($3, $4 * 2 ^ least(asks, 10)) * interval '1 second'
     where order_id = any($1::uuid[])`,
    [orderIds, now, longestPauseSeconds, firstPauseSeconds],
  );
}

/** Raise the version when other orders are to be listed: the log is then read again from its beginning. */
export const overdueFollower: FollowerKey = { name: "overdue-orders", version: 1 };

const moves: ReadonlySet<string> = new Set<OrderEvent["type"]>([
  "SubmissionRequested",
  "SubmittedToGRO",
  "ApplicationReplaced",
  "CertificateDispatched",
  "OrderFulfilled",
  "OrderCancelled",
  "OrderFailed",
]);

/** Maintains the list of orders awaiting despatch. */
export const overduePolicy: Subscribing = {
  ...overdueFollower,
  process: async (client, events) => {
    const relevant = events.filter(({ type }) => moves.has(type));
    if (relevant.length > 0) await noteOverdue(client, changesOf(relevant));
  },
};

const upcast = createUpcast(orderEventSchemas);

function changesOf(events: readonly StoredEvent[]): ReadonlyMap<string, OverdueChange> {
  const changes = new Map<string, OverdueChange>();
  for (const stored of events) {
    const orderId = orderIdOf(stored.stream);
    if (orderId === undefined) continue;
    const event = whileReading(stored.stream, () => orderEventSchema.parse(upcast(stored)));
    changes.set(orderId, after(changes.get(orderId) ?? {}, event));
  }
  return changes;
}

function after(change: OverdueChange, event: OrderEvent): OverdueChange {
  // Later events cannot reopen a finished order.
  if (change.over) return change;
  if (event.type === "SubmissionRequested") return { ...change, despatchBy: event.data.promise.despatchBy };
  if (event.type === "SubmittedToGRO") return { ...change, submitted: true };
  if (event.type !== "ApplicationReplaced") return { over: true };
  const { promise } = event.data;
  return { ...change, submitted: false, ...(promise && { despatchBy: promise.despatchBy }) };
}
