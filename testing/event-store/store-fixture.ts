import type { EventStore } from "../../infra/event-store/event-store.ts";

/** A store's methods without its class, so that a test may replace some. */
export function boundStore(store: EventStore): EventStore {
  return {
    append: (request) => store.append(request),
    readStream: (stream, from) => store.readStream(stream, from),
    readAll: (after, limit) => store.readAll(after, limit),
    eventAt: (position) => store.eventAt(position),
    follow: (options) => store.follow(options),
    head: () => store.head(),
    logId: () => store.logId(),
    close: () => store.close(),
  };
}
