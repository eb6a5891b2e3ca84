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
import { noteOpenPayments, type OpenPaymentChanges, type OpenSince } from "./reconcile-list.ts";

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
