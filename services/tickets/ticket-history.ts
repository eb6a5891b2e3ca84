import {
  type TicketEvent,
  ticketEventSchema,
  ticketEventSchemas,
  ticketStream,
} from "../../domain/ticket/events.ts";
import { type EventMetadata, eventMetadata } from "../../infra/event-store/event-metadata.ts";
import type { EventStore } from "../../infra/event-store/event-store.ts";
import { verifyStream } from "../../infra/event-store/hash-chain.ts";
import { whileReading } from "../../infra/event-store/stream-unreadable.ts";
import { createUpcast } from "../../infra/event-store/upcasting.ts";

/** One event of a ticket, with its time and author. */
export type PastTicketEvent = {
  readonly eventId: string;
  readonly event: TicketEvent;
  readonly at: string;
  readonly actor: EventMetadata["actor"];
};

const upcast = createUpcast(ticketEventSchemas);

/** A ticket's events in order; empty if there is no such ticket. @throws StreamUnreadable */
export async function readTicketHistory(
  store: Pick<EventStore, "readStream">,
  ticketId: string,
): Promise<readonly PastTicketEvent[]> {
  const stream = ticketStream(ticketId);
  const events = await store.readStream(stream);
  return whileReading(stream, () => {
    verifyStream(stream, events);
    return events.map((stored) => {
      const { at, actor } = eventMetadata.parse(stored.metadata);
      return { eventId: stored.id, event: ticketEventSchema.parse(upcast(stored)), at, actor };
    });
  });
}
