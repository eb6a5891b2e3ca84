import {
  type OrderEvent,
  orderEventSchema,
  orderEventSchemas,
  orderStream,
} from "../../../domain/order/events.ts";
import { evolve } from "../../../domain/order/evolve.ts";
import { absent, exists, type Order } from "../../../domain/order/state.ts";
import { type EventMetadata, eventMetadata } from "../../../infra/event-store/event-metadata.ts";
import type { EventStore, StoredEvent } from "../../../infra/event-store/event-store.ts";
import { verifyStream } from "../../../infra/event-store/hash-chain.ts";
import { whileReading } from "../../../infra/event-store/stream-unreadable.ts";
import { createUpcast } from "../../../infra/event-store/upcasting.ts";

/** One event of an order with its metadata, and the order right after it. */
export type PastEvent = {
  readonly event: OrderEvent;
  /** As stored, in its original version. */
  readonly stored: StoredEvent;
  readonly metadata: EventMetadata;
  readonly order: Order;
};

/** Reads an order's events in order; empty if there is no such order. @throws StreamUnreadable */
export type ReadOrderHistory = (orderId: string) => Promise<readonly PastEvent[]>;

const upcast = createUpcast(orderEventSchemas);

export function createOrderHistory(store: Pick<EventStore, "readStream">): ReadOrderHistory {
  return async (orderId) => {
    const stream = orderStream(orderId);
    const events = await store.readStream(stream);
    return whileReading(stream, () => {
      verifyStream(stream, events);
      const past: PastEvent[] = [];
      for (const stored of events) past.push(after(past.at(-1)?.order, stored));
      return past;
    });
  };
}

function after(before: Order | undefined, stored: StoredEvent): PastEvent {
  const event = orderEventSchema.parse(upcast(stored));
  const metadata = eventMetadata.parse(stored.metadata);
  const recorded = { eventId: stored.id, at: metadata.at, revision: stored.revision };
  const order = evolve(before ?? absent, event, recorded);
  if (!exists(order)) throw new Error(`There is no order after ${event.type}.`);
  return { event, stored, metadata, order };
}
