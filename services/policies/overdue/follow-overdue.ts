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
import { noteOverdue, type OverdueChange } from "./overdue-list.ts";

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
  return event.type === "ApplicationReplaced" ? { ...change, submitted: false } : { over: true };
}
