import {
  type Actor,
  type CommandMetadata,
  type Decider,
  Refused,
  type StaffReason,
} from "../domain/decider.ts";
import type { Prepare } from "../infra/commands/append.ts";
import { assertUnchanged, createCommandHandler, StreamChanged } from "../infra/commands/command-handler.ts";
import type { Cause, EventReading } from "../infra/commands/history.ts";
import type { Message } from "../infra/commands/sealing.ts";
import type { EventStore, ExpectedRevision, Position } from "../infra/event-store/event-store.ts";

/** On whose behalf a use case runs, and the event that caused it, for policies. */
export type OnBehalf = {
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId?: string;
  /** Reason given by a member of staff. */
  readonly reason?: StaffReason;
  /**
   * The revision the decision was based on: if the stream has changed since, the command is refused as
   * `changed-meanwhile`.
   */
  readonly expectedRevision?: number;
};

export type CommandRequest<State, Command> = {
  readonly command: Command;
  readonly commandId: string;
  readonly by: OnBehalf;
  /** For commands with personal input; SHA-256 of the command by default. */
  readonly fingerprint?: () => Promise<string | null>;
  /** Seals the records the command names; see the command handler's request. */
  readonly prepare?: Prepare<State, Command>;
  /** Reads the stream that the command starts before preparing: a repeat would prepare in vain. */
  readonly readFirst?: boolean;
};

/** The state after a command, its revision, and the position in the log. */
export type CommandResult<State> = {
  readonly state: State;
  readonly revision: ExpectedRevision;
  readonly position: Position;
};

export type Loaded<State> = CommandResult<State> & { readonly cause: Cause | undefined };

/** Loads streams of one kind and executes commands on them. */
type CommandBus<State, Command> = {
  /** @throws Refused when a rule forbids it; CommandReused when the id belongs to another command */
  execute(id: string, request: CommandRequest<State, Command>): Promise<CommandResult<State>>;
  load(id: string): Promise<Loaded<State>>;
  /** As this process last saw it, if not before revision `since`. See the command handler's `lastSeen`. */
  lastSeen(id: string, since?: number): Promise<Loaded<State>>;
  /** Whether a command of this id was executed on the stream, which need not exist. */
  knows(id: string, commandId: string): Promise<boolean>;
};

/** Dependencies of a command bus. `random`, in [0, 1), spreads the retries of concurrent commands. */
export type CommandBusDependencies = { store: EventStore; random: () => number; now: () => Date };

/** Creates the command bus of a decider on a store. */
export function createCommandBus<State, Command extends Message, Event extends Message>(
  { store, random, now }: CommandBusDependencies,
  kind: EventReading<Event> & {
    readonly decider: Decider<State, Command, Event>;
    readonly streamOf: (id: string) => string;
    /** True for the command that starts a stream. */
    readonly starts: (command: Command) => boolean;
  },
): CommandBus<State, Command> {
  const handler = createCommandHandler<State, Command, Event, CommandMetadata>({ ...kind, store, random });
  return {
    execute: async (id, { command, commandId, by, fingerprint, prepare, readFirst }) => {
      const { actor, correlationId, causationId, reason, expectedRevision } = by;
      const request = {
        stream: kind.streamOf(id),
        command,
        metadata: { commandId, at: now().toISOString(), actor, correlationId, ...(reason && { reason }) },
        startsStream: kind.starts(command) && !readFirst,
        ...(causationId !== undefined && { causationId }),
        ...(fingerprint && { fingerprint }),
        ...(prepare && { prepare }),
        ...(expectedRevision !== undefined && { expectedRevision }),
      };
      const { state, revision, position } = await handler.handle(request).catch(refuseOutdated);
      return { state, revision, position };
    },
    load: async (id) => loadedOf(await handler.load(kind.streamOf(id))),
    lastSeen: async (id, since) => loadedOf(await handler.lastSeen(kind.streamOf(id), since)),
    knows: async (id, commandId) => (await handler.load(kind.streamOf(id))).commands.has(commandId),
  };
}

const loadedOf = <State>({ state, revision, position, cause }: Loaded<State>): Loaded<State> => ({
  state,
  revision,
  position,
  cause,
});

/**
 * Refuses as `execute` would. For use cases that call a provider first.
 * @throws Refused `changed-meanwhile` if a stream has changed since `by` saw it
 */
export function assertUnchangedSince({ expectedRevision }: OnBehalf, revision: ExpectedRevision): void {
  try {
    assertUnchanged(revision, expectedRevision);
  } catch (error) {
    refuseOutdated(error);
  }
}

/** @throws Refused `changed-meanwhile` for a stream that has changed; any other error unchanged */
function refuseOutdated(error: unknown): never {
  if (!(error instanceof StreamChanged)) throw error;
  const { revision } = error;
  throw new Refused({
    code: "changed-meanwhile",
    phase: "any",
    rule: "changed-meanwhile",
    details: { revision },
  });
}
