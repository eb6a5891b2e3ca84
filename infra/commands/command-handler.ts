import {
  type EventStore,
  type ExpectedRevision,
  OutcomeUnknown,
  StoreBusy,
} from "../event-store/event-store.ts";
import { appendSettled, createBackoff, type SealedAppend } from "./append.ts";
import type { CommandMetadata, Decider } from "./decider.ts";
import {
  createLoad,
  type EventReading,
  emptyHistory,
  fold,
  type History,
  type LoadHistory,
} from "./history.ts";
import { createPreparation, type Prepare } from "./preparation.ts";
import { type CommandResult, fingerprintOf, firstResult } from "./repeats.ts";
import { type Message, type Sealed, sealEvents } from "./sealing.ts";

export type CommandHandlerOptions<State, Command, Event, Metadata> = EventReading<Event> & {
  readonly store: EventStore;
  readonly decider: Decider<State, Command, Event, Metadata>;
  /** In [0, 1): spreads the tries of rivals for one stream. */
  readonly random: () => number;
  /** Waits so many milliseconds; real time unless told. */
  readonly pause?: (ms: number) => Promise<void>;
};

export type CommandRequest<State, Command, Metadata> = {
  readonly stream: string;
  readonly command: Command;
  readonly metadata: Metadata;
  /** Id of the event that made a policy send it. */
  readonly causationId?: string;
  /**
   * Tells a repeat from another command under the same id: SHA-256 of the command unless told. What a person typed needs an HMAC under
   * a key of the stream's own; null once that key is gone, then a known id gets its first result uncompared.
   */
  readonly fingerprint?: () => Promise<string | null>;
  /** The last revision seen by who sends the command, -1 for an empty stream: refused once the stream has moved on. A repeat is answered all the same. */
  readonly expectedRevision?: number;
  /** Expect a stream that does not exist yet, which saves reading it; if it does exist, it is read after all. */
  readonly startsStream?: boolean;
  /**
   * For what a person typed: called once the stream would take `command`, which names nothing yet. A refused request so leaves nothing
   * behind, and what was sealed for one that others overtook is destroyed at once. `fingerprint` then compares repeats alone.
   */
  readonly prepare?: Prepare<State, Command>;
};

export type CommandHandler<State, Command, Event, Metadata> = {
  /**
   * Decides a command on its stream and appends what it leads to, once for each command id.
   * @throws what `decide` throws, StreamChanged, CommandReused, StoreBusy, OutcomeUnknown, StreamContended, and for a stream that cannot be trusted or
   * understood StreamUnreadable
   */
  handle(request: CommandRequest<State, Command, Metadata>): Promise<CommandResult<State, Event>>;
  /** A stream as it stands, for readers. */
  load: LoadHistory<State, Event>;
};

/** Others were first, again and again. Nothing was written; later may work. */
export class StreamContended extends Error {
  override name = "StreamContended";
}

/** The stream is no longer at the revision that the command was decided on. */
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

/** Makes the handler of one kind of stream. */
export function createCommandHandler<
  State,
  Command extends Message,
  Event extends Message,
  Metadata extends CommandMetadata,
>(
  options: CommandHandlerOptions<State, Command, Event, Metadata>,
): CommandHandler<State, Command, Event, Metadata> {
  const { store, decider, eventTypes, parseEvent, random, pause } = options;
  const load = createLoad(store, decider, options);
  const backoff = createBackoff(random, pause);

  type Request = CommandRequest<State, Command, Metadata>;
  type Read = History<State, Event>;
  type Result = CommandResult<State, Event>;
  type Planned = { readonly events: readonly Sealed<Event>[]; readonly append: SealedAppend };

  function decide({ command, metadata, expectedRevision }: Request, history: Read): Event[] {
    assertUnchanged(history.revision, expectedRevision);
    return decider.decide(history.state, command, metadata).map((event) => parseEvent(event));
  }

  /** What to append to a stream as it was read, or as it is expected to be; undefined when there is nothing to do. */
  function plan(request: Request, history: Read, fingerprint: string | null): Planned | undefined {
    const { stream, metadata, causationId = null } = request;
    const decided = decide(request, history);
    if (decided.length === 0) return undefined;
    const sealing = { stream, after: history, metadata, causationId, fingerprint };
    const events = sealEvents(decided, eventTypes, sealing);
    const stored = events.map((sealed) => sealed.stored);
    return { events, append: { stream, expectedRevision: history.revision, events: stored } };
  }

  /** `again` when the stream stands elsewhere. */
  async function carryOut({ events: sealed, append }: Planned, { state }: Read): Promise<Result | "again"> {
    const appended = await appendSettled(store, append, backoff);
    if (appended === "moved") return "again";
    const events = sealed.map(({ event, recorded }) => ({ event, recorded }));
    return { events, state: fold(decider, state, events), ...appended, repeated: false };
  }

  const unchanged = ({ state, revision, position }: Read): Result => ({
    events: [],
    state,
    revision,
    position,
    repeated: false,
  });

  /** A try without reading. What was decided on an empty stream counts only if the stream proves to be empty. */
  async function attemptUnread(request: Request, fingerprint: string | null): Promise<Result | "again"> {
    const history = emptyHistory(decider);
    try {
      const planned = plan(request, history, fingerprint);
      return planned ? await carryOut(planned, history) : "again";
    } catch (error) {
      if (error instanceof StoreBusy || error instanceof OutcomeUnknown) throw error;
      return "again"; // A refusal, perhaps wrong: the stream as it really is will tell.
    }
  }

  /** Reads the stream and tries, until it stands still for long enough. */
  async function whileItMoves(
    stream: string,
    attempt: (history: Read) => Promise<Result | "again">,
  ): Promise<Result> {
    for (let tries = 0; tries < mostTries; tries++) {
      if (tries > 0) await backoff(tries);
      const result = await attempt(await load(stream));
      if (result !== "again") return result;
    }
    throw new StreamContended(`${stream} moved on ${mostTries} times while a command was decided.`);
  }

  async function handlePlain(request: Request): Promise<Result> {
    const { stream, command, metadata, fingerprint: compute = () => fingerprintOf(command) } = request;
    const fingerprint = await compute();
    const started = request.startsStream ? await attemptUnread(request, fingerprint) : "again";
    if (started !== "again") return started;
    return whileItMoves(stream, async (history) => {
      const first = await firstResult(decider, history, metadata.commandId, async () => fingerprint);
      if (first) return first;
      const planned = plan(request, history, fingerprint);
      return planned ? carryOut(planned, history) : unchanged(history);
    });
  }

  async function handlePrepared(request: Request, prepare: Prepare<State, Command>): Promise<Result> {
    const { stream, command, metadata, fingerprint: compute = () => fingerprintOf(command) } = request;
    const preparation = createPreparation(prepare);

    async function attempt(history: Read): Promise<Result | "again"> {
      const first = await firstResult(decider, history, metadata.commandId, compute);
      if (first) return first;
      if (decide(request, history).length === 0) return unchanged(history);
      const prepared = await preparation.on(history.state);
      if (prepared === "nothing") return unchanged(history);
      const planned = plan({ ...request, command: prepared.command }, history, prepared.fingerprint);
      return planned ? preparation.appending(() => carryOut(planned, history)) : unchanged(history);
    }

    try {
      return await whileItMoves(stream, attempt);
    } finally {
      await preparation.discardUnlessNamed();
    }
  }

  return {
    load,
    handle: (request) => (request.prepare ? handlePrepared(request, request.prepare) : handlePlain(request)),
  };
}

function assertUnchanged(revision: ExpectedRevision, expected: number | undefined): void {
  if (expected === undefined || (revision === "none" ? -1 : revision) === expected) return;
  throw new StreamChanged(revision === "none" ? null : revision);
}
