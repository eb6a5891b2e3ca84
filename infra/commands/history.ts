import { eventMetadata } from "../event-store/event-metadata.ts";
import {
  type Appended,
  beginning,
  type EventStore,
  type ExpectedRevision,
  type Position,
  type StoredEvent,
} from "../event-store/event-store.ts";
import { verify, verifyStream } from "../event-store/hash-chain.ts";
import { whileReading } from "../event-store/stream-unreadable.ts";
import { createUpcast, type EventTypes } from "../event-store/upcasting.ts";
import type { JsonObject } from "../json.ts";
import type { Fold, Recorded } from "./decider.ts";
import { createKeptHistories, type KeptLimits, usualLimits } from "./kept-histories.ts";
import type { Sealed } from "./sealing.ts";

/** How the handler reads a domain's events: their histories, and the parser of today's shape. */
export type EventReading<Event> = {
  readonly eventTypes: EventTypes;
  readonly parseEvent: (event: { type: string; data: JsonObject }) => Event;
  /** Types of events without consequences, such as a reveal: never the cause of a later command. */
  readonly aside?: ReadonlySet<string>;
  /** How much is kept in memory. */
  readonly keep?: KeptLimits;
};

/** The event that caused the next command, and the external request it belongs to. */
export type Cause = { readonly eventId: string; readonly correlationId: string };

export type RecordedEvent<Event> = { readonly event: Event; readonly recorded: Recorded };

/** Record of a command already run: its fingerprint, its first event, and its last with its position. */
type DoneCommand = {
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
  /** No event had consequences yet: the cause is the newest of all. */
  readonly causedAside: boolean;
  readonly events: readonly RecordedEvent<Event>[];
  readonly commands: ReadonlyMap<string, DoneCommand>;
  /** Characters of the events' JSON. */
  readonly size: number;
};

/** The streams of one kind, the recent ones folded in memory. */
type Histories<State, Event> = {
  /** The whole stream, read and verified. @throws StreamUnreadable when it cannot be verified, understood or folded */
  readWhole(stream: string): Promise<History<State, Event>>;
  /**
   * The stream as it is now. Of one that is kept, only what is new is read and verified.
   * @throws StreamUnreadable likewise
   */
  read(stream: string): Promise<History<State, Event>>;
  /** The stream as last seen, which may be outdated: only an append tells. */
  kept(stream: string): History<State, Event> | undefined;
  /** Keeps what this process has appended after `history`, and returns it. */
  appended(
    stream: string,
    history: History<State, Event>,
    news: AppendedEvents<Event>,
  ): History<State, Event>;
  /** Forgets a stream whose end became uncertain. */
  forget(stream: string): void;
};

type AppendedEvents<Event> = {
  readonly sealed: readonly Sealed<Event>[];
  readonly appended: Appended;
};

/** An event of a stream, verified and parsed. */
type Read<Event> = RecordedEvent<Event> & {
  readonly type: string;
  readonly metadata: JsonObject;
  readonly position: Position;
  readonly size: number;
};

export function createHistories<State, Event>(
  store: EventStore,
  decider: Fold<State, Event>,
  { eventTypes, parseEvent, aside, keep = usualLimits }: EventReading<Event>,
): Histories<State, Event> {
  const upcast = createUpcast(eventTypes);
  const kept = createKeptHistories<History<State, Event>>(keep);
  type Known = History<State, Event>;

  /** An answer of the log may come after the answer to a later append, whose history stays. */
  function keepIt(stream: string, history: Known): Known {
    const { revision } = history;
    const newest = kept.get(stream)?.revision ?? "none";
    const isOvertaken = revision !== "none" && newest !== "none" && newest > revision;
    if (revision !== "none" && !isOvertaken) kept.put(stream, history);
    return history;
  }

  /** Drops what was known before a read, unless an append has put something newer in its place meanwhile. */
  function dropKnown(stream: string, known: Known | undefined): void {
    if (kept.get(stream) === known) kept.drop(stream);
  }

  async function readWhole(stream: string): Promise<Known> {
    const known = kept.get(stream);
    const stored = await store.readStream(stream);
    dropKnown(stream, known);
    return keepIt(
      stream,
      whileReading(stream, () => follow(stream, emptyHistory(decider), stored)),
    );
  }

  function follow(stream: string, known: Known, stored: readonly StoredEvent[]): Known {
    const hash = verifyStream(stream, stored, known);
    const events = stored.map((event) => ({
      event: parseEvent(upcast(event)),
      recorded: { eventId: event.id, at: eventMetadata.parse(event.metadata).at, revision: event.revision },
      type: event.type,
      metadata: event.metadata,
      position: event.position,
      size: sizeOf(event),
    }));
    return extended(decider, known, events, hash, aside);
  }

  return {
    readWhole,
    async read(stream) {
      const known = kept.get(stream);
      if (known === undefined || known.revision === "none") return readWhole(stream);
      // The last known event again: after a restore, other events may have taken its place and those after it.
      const [last, ...news] = await store.readStream(stream, known.revision);
      dropKnown(stream, known);
      if (last === undefined || !isThe(last, known)) return readWhole(stream);
      return keepIt(
        stream,
        whileReading(stream, () => follow(stream, known, news)),
      );
    },
    kept: (stream) => kept.get(stream),
    appended(stream, history, { sealed, appended }) {
      const events = sealed.map(({ event, recorded, stored }) => ({
        event,
        recorded,
        type: stored.type,
        metadata: stored.metadata,
        position: appended.position,
        size: sizeOf(stored),
      }));
      return keepIt(
        stream,
        extended(decider, history, events, sealed.at(-1)?.stored.metadata.hash ?? null, aside),
      );
    },
    forget: (stream) => kept.drop(stream),
  };
}

const sizeOf = ({ data, metadata }: Pick<StoredEvent, "data" | "metadata">): number =>
  JSON.stringify(data).length + JSON.stringify(metadata).length;

/** Whether the stored event is the history's last, unchanged. */
function isThe(event: StoredEvent, { revision, hash }: Pick<History<unknown, unknown>, "revision" | "hash">) {
  if (event.revision !== revision || event.metadata.hash !== hash) return false;
  const { previousHash } = eventMetadata.parse(event.metadata);
  return verify(event, previousHash) === hash;
}

function extended<State, Event>(
  decider: Fold<State, Event>,
  known: History<State, Event>,
  news: readonly Read<Event>[],
  hash: string | null,
  aside: ReadonlySet<string> = new Set(),
): History<State, Event> {
  const last = news.at(-1);
  if (last === undefined) return known;
  const commands = new Map(known.commands);
  for (const { metadata, recorded, position } of news) {
    const { commandId, fingerprint } = eventMetadata.parse(metadata);
    const { revision } = recorded;
    const firstRevision = commands.get(commandId)?.firstRevision ?? revision;
    commands.set(commandId, { fingerprint, firstRevision, revision, position });
  }
  return {
    state: fold(decider, known.state, news),
    revision: last.recorded.revision,
    position: last.position,
    hash,
    ...causeOf(news, known, aside),
    events: [...known.events, ...news.map(({ event, recorded }) => ({ event, recorded }))],
    commands,
    size: news.reduce((sum, { size }) => sum + size, known.size),
  };
}

/** The newest event with consequences; where none has any, the newest. */
function causeOf<Event>(
  news: readonly Read<Event>[],
  { cause, causedAside }: History<unknown, Event>,
  aside: ReadonlySet<string>,
): Pick<History<unknown, Event>, "cause" | "causedAside"> {
  const consequential = news.findLast(({ type }) => !aside.has(type));
  const event = consequential ?? (causedAside ? news.at(-1) : undefined);
  if (event === undefined) return { cause, causedAside };
  const { correlationId } = eventMetadata.parse(event.metadata);
  return { cause: { eventId: event.recorded.eventId, correlationId }, causedAside: !consequential };
}

/** A stream without events, without reading the store. */
export function emptyHistory<State, Event>(decider: Fold<State, Event>): History<State, Event> {
  return {
    state: decider.initial,
    revision: "none",
    position: beginning,
    hash: null,
    cause: undefined,
    causedAside: true,
    events: [],
    commands: new Map(),
    size: 0,
  };
}

export function fold<State, Event>(
  decider: Fold<State, Event>,
  state: State,
  events: readonly RecordedEvent<Event>[],
): State {
  return events.reduce((folded, { event, recorded }) => decider.evolve(folded, event, recorded), state);
}
