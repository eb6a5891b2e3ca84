import { type CommandMetadata, type Decider, Refused } from "../../domain/decider.ts";
import {
  type EventStore,
  type ExpectedRevision,
  OutcomeUnknown,
  StoreBusy,
} from "../../infra/event-store/event-store.ts";
import { appendSettled } from "./handler-append.ts";
import { createBackoff } from "./handler-backoff.ts";
import {
  createLoad,
  type EventReading,
  emptyHistory,
  fold,
  type History,
  type LoadHistory,
} from "./handler-history.ts";
import { type CommandResult, fingerprintOf, firstResult } from "./handler-repeat.ts";
import { type Message, sealEvents } from "./handler-sealing.ts";

export type CommandHandlerOptions<State, Command, Event> = EventReading<Event> & {
  readonly store: EventStore;
  readonly decider: Decider<State, Command, Event>;
  /** In [0, 1): spreads the tries of rivals for one stream. */
  readonly random: () => number;
  /** Waits so many milliseconds; real time unless told. */
  readonly pause?: (ms: number) => Promise<void>;
};

export type CommandRequest<Command> = {
  readonly stream: string;
  readonly command: Command;
  readonly metadata: CommandMetadata;
  /** Id of the event that made a policy send it. */
  readonly causationId?: string;
  /**
   * Tells a repeat from another command under the same id: SHA-256 of the command unless told. What a person typed needs an HMAC under
   * a key of the stream's own; null once that key is gone, then a known id gets its first result uncompared.
   */
  readonly fingerprint?: () => Promise<string | null>;
  /** The revision that whoever gives the command has seen: once the stream stands elsewhere, it is refused. A repeat is answered all the same. */
  readonly expectedRevision?: number;
  /** Expect a stream that does not exist yet, which saves reading it; if it does exist, it is read after all. */
  readonly startsStream?: boolean;
};

export type CommandHandler<State, Command, Event> = {
  /**
   * Decides a command on its stream and appends what it leads to, once for each command id.
   * @throws what `decide` throws, Refused `changed-meanwhile`, CommandReused, StoreBusy, OutcomeUnknown, StreamContended, and for a stream that cannot be trusted or
   * understood StreamUnreadable
   */
  handle(request: CommandRequest<Command>): Promise<CommandResult<State, Event>>;
  /** A stream as it stands, for readers. */
  load: LoadHistory<State, Event>;
};

/** Others were first, again and again. Nothing was written; later may work. */
export class StreamContended extends Error {
  override name = "StreamContended";
}

const mostTries = 24;

/** Makes the handler of one kind of stream. */
export function createCommandHandler<State, Command extends Message, Event extends Message>(
  options: CommandHandlerOptions<State, Command, Event>,
): CommandHandler<State, Command, Event> {
  const { store, decider, eventTypes, parseEvent, random, pause } = options;
  const load = createLoad(store, decider, options);
  const backoff = createBackoff(random, pause);

  /** One try on a stream as it was read, or as it is expected to be; `again` when it stands elsewhere. */
  async function attempt(
    request: CommandRequest<Command>,
    history: History<State, Event>,
    fingerprint: string | null,
  ): Promise<CommandResult<State, Event> | "again"> {
    const { stream, command, metadata, causationId = null } = request;
    assertUnchanged(history.revision, request.expectedRevision);
    const decided = decider.decide(history.state, command, metadata).map((event) => parseEvent(event));
    const { state, revision, position } = history;
    if (decided.length === 0) return { events: [], state, revision, position, repeated: false };
    const sealing = { stream, after: history, metadata, causationId, fingerprint };
    const sealed = sealEvents(decided, eventTypes, sealing);
    const append = { stream, expectedRevision: revision, events: sealed.map(({ stored }) => stored) };
    const appended = await appendSettled(store, append, backoff);
    if (appended === "moved") return "again";
    const events = sealed.map(({ event, recorded }) => ({ event, recorded }));
    return { events, state: fold(decider, state, events), ...appended, repeated: false };
  }

  /** A try without reading. What was decided on an empty stream counts only if the stream proves to be empty. */
  async function attemptUnread(
    request: CommandRequest<Command>,
    fingerprint: string | null,
  ): Promise<CommandResult<State, Event> | "again"> {
    try {
      const result = await attempt(request, emptyHistory(decider), fingerprint);
      return result !== "again" && result.events.length === 0 ? "again" : result;
    } catch (error) {
      if (error instanceof StoreBusy || error instanceof OutcomeUnknown) throw error;
      return "again"; // A refusal, perhaps wrong: the stream as it really is will tell.
    }
  }

  return {
    load,
    async handle(request) {
      const { stream, command, metadata, fingerprint: compute = () => fingerprintOf(command) } = request;
      const fingerprint = await compute();
      const started = request.startsStream ? await attemptUnread(request, fingerprint) : "again";
      if (started !== "again") return started;
      for (let tries = 0; tries < mostTries; tries++) {
        if (tries > 0) await backoff(tries);
        const history = await load(stream);
        const first = firstResult(decider, history, metadata.commandId, fingerprint);
        const result = first ?? (await attempt(request, history, fingerprint));
        if (result !== "again") return result;
      }
      throw new StreamContended(`${stream} moved on ${mostTries} times while a command was decided.`);
    },
  };
}

/**
 * A stream without events stands at -1 for whoever has looked at it.
 * @throws Refused: two people were at it, and one must look again before deciding
 */
function assertUnchanged(revision: ExpectedRevision, expected: number | undefined): void {
  if (expected === undefined || (revision === "none" ? -1 : revision) === expected) return;
  const details = { revision: revision === "none" ? null : revision };
  throw new Refused({ code: "changed-meanwhile", phase: "any", rule: "changed-meanwhile", details });
}
