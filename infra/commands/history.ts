import { eventMetadata } from "../event-store/event-metadata.ts";
import {
  beginning,
  type EventStore,
  type ExpectedRevision,
  type Position,
  type StoredEvent,
} from "../event-store/event-store.ts";
import { verifyStream } from "../event-store/hash-chain.ts";
import { whileReading } from "../event-store/stream-unreadable.ts";
import { createUpcast, type EventTypes } from "../event-store/upcasting.ts";
import type { JsonObject } from "../json.ts";
import type { Fold, Recorded } from "./decider.ts";

/** How the handler reads a domain's events: their histories, and the parser of today's shape. */
export type EventReading<Event> = {
  readonly eventTypes: EventTypes;
  readonly parseEvent: (event: { type: string; data: JsonObject }) => Event;
  /** Types of events without consequences, such as a reveal: never the cause of a later command. */
  readonly aside?: ReadonlySet<string>;
};

/** The event that caused the next command, and the external request it belongs to. */
export type Cause = { readonly eventId: string; readonly correlationId: string };

export type RecordedEvent<Event> = { readonly event: Event; readonly recorded: Recorded };

/** Record of a command already run: its fingerprint, its first event, and its last with its position. */
export type DoneCommand = {
  readonly fingerprint: string | null;
  readonly firstRevision: number;
  readonly revision: number;
  readonly position: Position;
};

export type History<State, Event> = {
  readonly state: State;
  /** Of the last event. */
  readonly revision: ExpectedRevision;
  readonly position: Position;
  readonly hash: string | null;
  /** Undefined for an empty stream. */
  readonly cause: Cause | undefined;
  readonly events: readonly RecordedEvent<Event>[];
  readonly commands: ReadonlyMap<string, DoneCommand>;
};

/** Reads a stream. @throws StreamUnreadable when it cannot be verified, understood or folded */
export type LoadHistory<State, Event> = (stream: string) => Promise<History<State, Event>>;

export function createLoad<State, Event>(
  store: EventStore,
  decider: Fold<State, Event>,
  { eventTypes, parseEvent, aside }: EventReading<Event>,
): LoadHistory<State, Event> {
  const upcast = createUpcast(eventTypes);
  return async (stream) => {
    const stored = await store.readStream(stream);
    return whileReading(stream, () => historyOf(stream, stored));
  };

  function historyOf(stream: string, stored: readonly StoredEvent[]): History<State, Event> {
    const hash = verifyStream(stream, stored);
    const commands = new Map<string, DoneCommand>();
    const events = stored.map((event) => {
      const { commandId, fingerprint, at } = eventMetadata.parse(event.metadata);
      const { id: eventId, revision, position } = event;
      const firstRevision = commands.get(commandId)?.firstRevision ?? revision;
      commands.set(commandId, { fingerprint, firstRevision, revision, position });
      return { event: parseEvent(upcast(event)), recorded: { eventId, at, revision } };
    });
    const last = stored.at(-1);
    return {
      state: fold(decider, decider.initial, events),
      revision: last?.revision ?? "none",
      position: last?.position ?? beginning,
      hash,
      cause: causeIn(stored, aside),
      events,
      commands,
    };
  }
}

function causeIn(stored: readonly StoredEvent[], aside: ReadonlySet<string> = new Set()): Cause | undefined {
  const event = stored.findLast(({ type }) => !aside.has(type)) ?? stored.at(-1);
  return event && { eventId: event.id, correlationId: eventMetadata.parse(event.metadata).correlationId };
}

/** A stream without events, without reading the store. */
export function emptyHistory<State, Event>(decider: Fold<State, Event>): History<State, Event> {
  return {
    state: decider.initial,
    revision: "none",
    position: beginning,
    hash: null,
    cause: undefined,
    events: [],
    commands: new Map(),
  };
}

export function fold<State, Event>(
  decider: Fold<State, Event>,
  state: State,
  events: readonly RecordedEvent<Event>[],
): State {
  return events.reduce((folded, { event, recorded }) => decider.evolve(folded, event, recorded), state);
}
