import {
  type AppendRequest,
  type EventStore,
  type NewEvent,
  OutcomeUnknown,
  StoreBusy,
  WrongExpectedRevision,
} from "../../event-store/event-store.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { PlatformFamilies } from "./platform-families.ts";

type AppendWatch = {
  readonly families: Pick<PlatformFamilies, "appendSeconds" | "appendsInFlight" | "eventsAppended">;
  readonly tracing: Tracing;
  /** Called for each event written by this process. */
  readonly onAppended?: (event: NewEvent) => void;
};

/** Counts, times and traces the appends of an event store. */
export function watchAppends(store: EventStore, { families, tracing, onAppended }: AppendWatch): EventStore {
  const { appendSeconds, appendsInFlight, eventsAppended } = families;
  return {
    append: (request) =>
      tracing.span({ name: "append", kind: "internal", attributes: factsOf(request) }, async (span) => {
        const startedAt = performance.now();
        const ended = (outcome: string) => {
          appendSeconds.observe({ outcome }, (performance.now() - startedAt) / 1000);
          span.note({ outcome });
        };
        appendsInFlight.add({}, 1);
        try {
          const appended = await store.append(request);
          ended("written");
          for (const event of request.events) {
            eventsAppended.add({ type: event.type });
            onAppended?.(event);
          }
          return appended;
        } catch (error) {
          ended(outcomeOf(error));
          throw error;
        } finally {
          appendsInFlight.add({}, -1);
        }
      }),
    readStream: (stream, from) => store.readStream(stream, from),
    readAll: (after, limit) => store.readAll(after, limit),
    eventAt: (position) => store.eventAt(position),
    follow: (options) => store.follow(options),
    head: () => store.head(),
    logId: () => store.logId(),
    close: () => store.close(),
  };
}

const factsOf = ({ stream, events }: AppendRequest) => ({
  stream,
  events: events.length,
  types: events.map(({ type }) => type).join(" "),
});

function outcomeOf(error: unknown): "conflict" | "busy" | "unknown" | "failed" {
  if (error instanceof WrongExpectedRevision) return "conflict";
  if (error instanceof StoreBusy) return "busy";
  return error instanceof OutcomeUnknown ? "unknown" : "failed";
}
