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

/** A payment or dispute at the provider that our log has as undecided. */
export type OpenPayment = {
  readonly kind: "intent" | "dispute";
  readonly providerId: string;
  readonly orderId: string;
};

/** Time at which the log shows it as opened. */
type OpenSince = OpenPayment & { readonly since: string };

/** What a run of events, in order, opens and resolves. */
type OpenPaymentChanges = {
  readonly opened: readonly OpenSince[];
  readonly settled: readonly string[];
  readonly closedOrders: readonly string[];
};

/**
 * Seconds from the event to the first check, and the longest pause between two. A webhook takes seconds, and Stripe
 * repeats a failed one after minutes; a dispute takes weeks.
 */
const askAfterSeconds = { intent: 600, dispute: 86_400 } as const;
const longestPauseSeconds = { intent: 21_600, dispute: 86_400 } as const;

/** Applies the changes within the caller's transaction. */
async function noteOpenPayments(client: Client, changes: OpenPaymentChanges): Promise<void> {
  const { opened, settled, closedOrders } = changes;
  if (settled.length > 0 || closedOrders.length > 0)
    await client.query(
      "delete from open_payments where provider_id = any($1) or (kind = 'intent' and order_id = any($2::uuid[]))",
      [settled, closedOrders],
    );
  if (opened.length > 0)
    await client.query(
      `insert into open_payments (kind, provider_id, order_id, ask_at)
     select * from unnest($1::text[], $2::text[], $3::uuid[], $4::timestamptz[]) on conflict do nothing`,
      [
        opened.map(({ kind }) => kind),
        opened.map(({ providerId }) => providerId),
        opened.map(({ orderId }) => orderId),
        opened.map(({ kind, since }) => new Date(Date.parse(since) + askAfterSeconds[kind] * 1000)),
      ],
    );
}

/**
 * Claims what is due for a check, longest waiting first, and postpones its next check: one process at a time checks
 * each, and one that dies loses only that turn.
 */
export async function claimOpenPayments(pool: Pool, now: Date, limit: number): Promise<OpenPayment[]> {
  const { rows } = await pool.query<OpenPayment>(
    `update open_payments set asks = asks + 1, ask_at = $1::timestamptz + interval '1 second'
       * case kind when 'dispute' then $3 else least($4, $5 * 2 ^ least(asks, 10)) end
     where (kind, provider_id) in (
       select kind, provider_id from open_payments where ask_at <= $1 order by ask_at limit $2
       for update skip locked)
     returning kind, provider_id as "providerId", order_id as "orderId"`,
    [now, limit, longestPauseSeconds.dispute, longestPauseSeconds.intent, askAfterSeconds.intent],
  );
  return rows;
}

/** Takes back a check that failed because of our own storage. */
export async function returnOpenPayments(
  pool: Pool,
  payments: readonly OpenPayment[],
  now: Date,
): Promise<void> {
  await pool.query(
    `update open_payments set asks = greatest(asks - 1, 0), ask_at = least(ask_at, $1)
     where (kind, provider_id) in (select * from unnest($2::text[], $3::text[]))`,
    [now, payments.map(({ kind }) => kind), payments.map(({ providerId }) => providerId)],
  );
}

/** Raise the version when other payments are to be listed: the log is then read again from its beginning. */
export const openPaymentsFollower: FollowerKey = { name: "open-payments", version: 1 };

const moves: ReadonlySet<string> = new Set<OrderEvent["type"]>([
  "PaymentRequested",
  "PaymentConfirmed",
  "PaymentReceivedUnexpectedly",
  "OrderCancelled",
  "OrderFailed",
  "DisputeOpened",
  "DisputeClosed",
  "DisputeReopened",
]);

/** Maintains the list of open payments and disputes at the provider. */
export const openPaymentsPolicy: Subscribing = {
  ...openPaymentsFollower,
  process: async (client, events) => {
    const relevant = events.filter(({ type }) => moves.has(type));
    if (relevant.length > 0) await noteOpenPayments(client, changesOf(relevant));
  },
};

const upcast = createUpcast(orderEventSchemas);

function changesOf(events: readonly StoredEvent[]): OpenPaymentChanges {
  const opened = new Map<string, OpenSince>();
  const settled = new Set<string>();
  const closedOrders = new Set<string>();
  const settle = (providerId: string | null): void => {
    if (providerId === null) return;
    opened.delete(providerId);
    settled.add(providerId);
  };
  const close = (orderId: string): void => {
    closedOrders.add(orderId);
    for (const [id, { kind, orderId: owner }] of opened) {
      if (kind === "intent" && owner === orderId) opened.delete(id);
    }
  };
  for (const stored of events) {
    const { stream, recordedAt: since } = stored;
    const orderId = orderIdOf(stream);
    if (orderId === undefined) continue;
    const event = whileReading(stream, () => orderEventSchema.parse(upcast(stored)));
    if (event.type === "PaymentRequested") {
      settle(event.data.closedIntentId);
      const { intentId: providerId } = event.data;
      opened.set(providerId, { kind: "intent", providerId, orderId, since });
    } else if (event.type === "DisputeOpened" || event.type === "DisputeReopened") {
      const { disputeId: providerId } = event.data;
      opened.set(providerId, { kind: "dispute", providerId, orderId, since });
    } else if (event.type === "DisputeClosed") settle(event.data.disputeId);
    else if (event.type === "PaymentConfirmed" || event.type === "PaymentReceivedUnexpectedly") {
      settle(event.data.intentId);
    } else close(orderId);
  }
  return { opened: [...opened.values()], settled: [...settled], closedOrders: [...closedOrders] };
}
