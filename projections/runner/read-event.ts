import type { Recorded } from "../../domain/decider.ts";
import { eventMetadata } from "../../infra/event-store/event-metadata.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { createUpcast, type EventTypes } from "../../infra/event-store/upcasting.ts";

/**
 * Reads an event in today's shape, with its store metadata; once, however many read models fold it. Does not check the hash: the command handler and the audit
 * do, and a read model can be rebuilt.
 * @throws UnknownEventType, ZodError
 */
type ReadEvent<Event> = (stored: StoredEvent) => { event: Event; recorded: Recorded };

export function eventReader<Event>(
  eventTypes: EventTypes,
  schema: { parse(value: unknown): Event },
): ReadEvent<Event> {
  const upcast = createUpcast(eventTypes);
  const known = new WeakMap<StoredEvent, ReturnType<ReadEvent<Event>>>();
  return (stored) => {
    const before = known.get(stored);
    if (before) return before;
    const { at } = eventMetadata.parse(stored.metadata);
    const read = {
      event: schema.parse(upcast(stored)),
      recorded: { eventId: stored.id, at, revision: stored.revision },
    };
    known.set(stored, read);
    return read;
  };
}
