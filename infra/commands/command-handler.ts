import {
  type CompanionRow,
  type EventStore,
  type ExpectedRevision,
  StoreBusy,
} from "../event-store/event-store.ts";
import {
  appendSettled,
  createBackoff,
  createPreparation,
  type Prepare,
  type SealedAppend,
} from "./append.ts";
import type { CommandMetadata, Decider } from "./decider.ts";
import { createHistories, type EventReading, emptyHistory, type History } from "./history.ts";
import { type CommandResult, fingerprintOf, firstResult } from "./repeats.ts";
import { type Message, type Sealed, sealEvents } from "./sealing.ts";
import { Turns } from "./turns.ts";

type CommandHandlerOptions<State, Command, Event, Metadata> = EventReading<Event> & {
  readonly store: EventStore;
  readonly decider: Decider<State, Command, Event, Metadata>;
  /** In [0, 1): spreads retries of competing commands. */
  readonly random: () => number;
  /** Defaults to a real timer. */
  readonly pause?: (ms: number) => Promise<void>;
};

type CommandRequest<State, Command, Metadata> = {
  readonly stream: string;
  readonly command: Command;
  readonly metadata: Metadata;
  /** Id of the event to which a policy reacts. */
  readonly causationId?: string;
  /**
   * Distinguishes a repeat from another command under the same id: SHA-256 of the command by default. Personal data
   * needs an HMAC under the stream's key; null once that key is erased, when a known id gets its first result
   * uncompared.
   */
  readonly fingerprint?: () => Promise<string | null>;
  /**
   * Last revision the sender has seen, -1 for an empty stream: refused if the stream has changed since. A repeat still
   * gets its result.
   */
  readonly expectedRevision?: number;
  /** Expects a new stream, which saves reading it; an existing one is read after all. */
  readonly startsStream?: boolean;
  /**
   * For personal data: called once the stream would accept `command`, which has no references yet. A refused request
   * leaves nothing behind, and data sealed for an overtaken request is erased at once. `fingerprint` alone then
   * compares repeats.
   */
  readonly prepare?: Prepare<State, Command>;
};

type CommandHandler<State, Command, Event, Metadata> = {
  /**
   * Decides a command on its stream and appends the events, once per command id.
   * @throws the errors of `decide`, StreamChanged, CommandReused, StoreBusy, OutcomeUnknown, StreamContended, and
   * StreamUnreadable for a stream that cannot be verified or understood
   */
  handle(request: CommandRequest<State, Command, Metadata>): Promise<CommandResult<State, Event>>;
  /** The current stream, for readers: whole, and verified from its first event. @throws StreamUnreadable */
  load(stream: string): Promise<History<State, Event>>;
  /**
   * The stream as this process last saw it, if that is not before revision `since`; read where it is not kept. May be
   * outdated: only for what an append then decides, or what never changes.
   */
  lastSeen(stream: string, since?: number): Promise<History<State, Event>>;
};

/** Other commands kept coming first. Nothing was written; a retry may succeed. */
export class StreamContended extends Error {
  override name = "StreamContended";
}

/** The stream is no longer at the revision the sender expected. */
export class StreamChanged extends Error {
  override name = "StreamChanged";
  /** Of the stream's last event; null when it has none. */
  readonly revision: number | null;
  constructor(revision: number | null) {
    super(`The stream is at ${revision ?? "its beginning"}.`);
    this.revision = revision;
  }
}

const mostTries = 24;

export function createCommandHandler<
  State,
  Command extends Message,
  Event extends Message,
  Metadata extends CommandMetadata,
>(
  options: CommandHandlerOptions<State, Command, Event, Metadata>,
): CommandHandler<State, Command, Event, Metadata> {
  const { store, decider, eventTypes, parseEvent, random, pause } = options;
  const histories = createHistories(store, decider, options);
  const backoff = createBackoff(random, pause);
  const turns = new Turns();

  type Request = CommandRequest<State, Command, Metadata>;
  type Read = History<State, Event>;
  type Result = CommandResult<State, Event>;
  type Planned = { readonly events: readonly Sealed<Event>[]; readonly append: SealedAppend };

  function decide({ command, metadata, expectedRevision }: Request, history: Read): Event[] {
    assertUnchanged(history.revision, expectedRevision);
    return decider.decide(history.state, command, metadata).map((event) => parseEvent(event));
  }

  /** The append for a stream as read or expected; undefined when there is nothing to do. */
  function plan(
    request: Request,
    history: Read,
    fingerprint: string | null,
    companions: readonly CompanionRow[] = [],
  ): Planned | undefined {
    const { stream, metadata, causationId = null } = request;
    const decided = decide(request, history);
    if (decided.length === 0) return undefined;
    const sealing = { stream, after: history, metadata, causationId, fingerprint };
    const events = sealEvents(decided, eventTypes, sealing);
    const stored = events.map((sealed) => sealed.stored);
    const append = { stream, expectedRevision: history.revision, events: stored };
    return { events, append: companions.length > 0 ? { ...append, companions } : append };
  }

  /** `again` when the stream is at another revision. */
  async function carryOut({ events: sealed, append }: Planned, history: Read): Promise<Result | "again"> {
    const { stream } = append;
    const appended = await appendSettled(store, append, backoff).catch((error: unknown) => {
      if (!(error instanceof StoreBusy)) histories.forget(stream);
      throw error;
    });
    if (appended === "moved") return "again";
    const events = sealed.map(({ event, recorded }) => ({ event, recorded }));
    const { state } = histories.appended(stream, history, { sealed, appended });
    return { events, state, ...appended, repeated: false };
  }

  const unchanged = ({ state, revision, position }: Read): Result => ({
    events: [],
    state,
    revision,
    position,
    repeated: false,
  });

  /** A result, or the append that leads to one. */
  type Decided = Result | (() => Promise<Result | "again">);
  type DecideOn = (history: Read) => Promise<Decided>;

  /**
   * Decides without reading, on a stream as last seen or expected. Only an append proves that the stream was at that
   * revision, and only a command's id that it was run before: all else is decided again on what is read.
   */
  async function attemptUnread(history: Read | undefined, decideOn: DecideOn): Promise<Result | "again"> {
    if (!history) return "again";
    // Perhaps refused wrongly.
    const decided = await decideOn(history).catch(() => "again" as const);
    if (decided === "again") return "again";
    if (typeof decided === "function") return decided();
    return decided.repeated ? decided : "again";
  }

  /** Retries on the stream as read until no other command comes first. @param expected of a stream that is not kept */
  async function whileItMoves(
    stream: string,
    expected: Read | undefined,
    decideOn: DecideOn,
  ): Promise<Result> {
    const first = await attemptUnread(histories.kept(stream) ?? expected, decideOn);
    if (first !== "again") return first;
    for (let tries = 0; tries < mostTries; tries++) {
      if (tries > 0) await backoff(tries);
      const decided = await decideOn(await histories.read(stream));
      const result = typeof decided === "function" ? await decided() : decided;
      if (result !== "again") return result;
    }
    throw new StreamContended(`${stream} changed ${mostTries} times while a command was decided.`);
  }

  const expected = ({ startsStream }: Request) => (startsStream ? emptyHistory(decider) : undefined);

  async function handlePlain(request: Request): Promise<Result> {
    const { stream, command, metadata, fingerprint: compute = () => fingerprintOf(command) } = request;
    const fingerprint = await compute();
    return whileItMoves(stream, expected(request), async (history) => {
      const first = await firstResult(decider, history, metadata.commandId, async () => fingerprint);
      if (first) return first;
      const planned = plan(request, history, fingerprint);
      return planned ? () => carryOut(planned, history) : unchanged(history);
    });
  }

  async function handlePrepared(request: Request, prepare: Prepare<State, Command>): Promise<Result> {
    const { stream, metadata, fingerprint: compute = () => fingerprintOf(request.command) } = request;
    const preparation = createPreparation(prepare);

    async function decideOn(history: Read): Promise<Decided> {
      const first = await firstResult(decider, history, metadata.commandId, compute);
      if (first) return first;
      if (decide(request, history).length === 0) return unchanged(history);
      const prepared = await preparation.on(history.state);
      if (prepared === "nothing") return unchanged(history);
      const { command, fingerprint, companions } = prepared;
      const planned = plan({ ...request, command }, history, fingerprint, companions);
      if (!planned) return unchanged(history);
      return () => preparation.appending(() => carryOut(planned, history));
    }

    try {
      return await whileItMoves(stream, expected(request), decideOn);
    } finally {
      await preparation.discardUnlessNamed();
    }
  }

  return {
    load: (stream) => histories.readWhole(stream),
    lastSeen: async (stream, since = 0) => {
      const kept = histories.kept(stream);
      return kept && kept.revision !== "none" && kept.revision >= since ? kept : histories.read(stream);
    },
    handle: (request) =>
      turns.take(request.stream, () =>
        request.prepare ? handlePrepared(request, request.prepare) : handlePlain(request),
      ),
  };
}

/** @throws StreamChanged if a stream is at another revision than the sender expected, if any */
export function assertUnchanged(revision: ExpectedRevision, expected: number | undefined): void {
  if (expected === undefined || (revision === "none" ? -1 : revision) === expected) return;
  throw new StreamChanged(revision === "none" ? null : revision);
}
