import type { Actor, Decider, StaffReason } from "../../domain/decider.ts";
import type { EventStore, ExpectedRevision, Position } from "../../infra/event-store/event-store.ts";
import { createCommandHandler } from "./handler.ts";
import type { Cause, EventReading } from "./handler-history.ts";
import type { Prepare } from "./handler-preparation.ts";
import type { Message } from "./handler-sealing.ts";

/** On whose behalf a use-case runs, and the event that made a policy run it. */
export type OnBehalf = {
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId?: string;
  /** Why somebody who works here wants it. */
  readonly reason?: StaffReason;
  /** The revision they had before their eyes: what has moved on since is refused as `changed-meanwhile`. */
  readonly expectedRevision?: number;
};

/** A command on its way to one of a kind. */
export type TellRequest<State, Command> = {
  readonly command: Command;
  readonly commandId: string;
  readonly by: OnBehalf;
  /** For commands that carry what a person typed; SHA-256 of the command unless given. */
  readonly fingerprint?: () => Promise<string | null>;
  /** Seals what the command is to name; see `CommandRequest`. */
  readonly prepare?: Prepare<State, Command>;
};

/** The state after a command, its revision, and where the log then stood. */
export type Stands<State> = {
  readonly state: State;
  readonly revision: ExpectedRevision;
  readonly position: Position;
};

/** As it stands, and what it came from. */
export type Loaded<State> = Stands<State> & { readonly cause: Cause | undefined };

/** Loads streams of one kind and tells them commands. */
export type Teller<State, Command> = {
  /** @throws Refused when a rule forbids it, or what `by` has seen is no longer so; CommandReused when the id was used for another command */
  tell(id: string, request: TellRequest<State, Command>): Promise<Stands<State>>;
  load(id: string): Promise<Loaded<State>>;
  /** Whether it, or none yet, was told the command of this id. */
  knows(id: string, commandId: string): Promise<boolean>;
};

/** What a store with a clock and a die gives. */
export type TellerGround = { store: EventStore; random: () => number; now: () => Date };

/** Puts a decider on a store. `random`, in [0, 1), spreads the tries of rivals for one stream. */
export function createTeller<State, Command extends Message, Event extends Message>(
  { store, random, now }: TellerGround,
  kind: EventReading<Event> & {
    readonly decider: Decider<State, Command, Event>;
    readonly streamOf: (id: string) => string;
    /** True for the command that starts a stream. */
    readonly starts: (command: Command) => boolean;
  },
): Teller<State, Command> {
  const handler = createCommandHandler({ ...kind, store, random });
  return {
    tell: async (id, { command, commandId, by, fingerprint, prepare }) => {
      const { actor, correlationId, causationId, reason, expectedRevision } = by;
      const { state, revision, position } = await handler.handle({
        stream: kind.streamOf(id),
        command,
        metadata: { commandId, at: now().toISOString(), actor, correlationId, ...(reason && { reason }) },
        startsStream: kind.starts(command),
        ...(causationId !== undefined && { causationId }),
        ...(fingerprint && { fingerprint }),
        ...(prepare && { prepare }),
        ...(expectedRevision !== undefined && { expectedRevision }),
      });
      return { state, revision, position };
    },
    load: async (id) => {
      const { state, revision, position, cause } = await handler.load(kind.streamOf(id));
      return { state, revision, position, cause };
    },
    knows: async (id, commandId) => (await handler.load(kind.streamOf(id))).commands.has(commandId),
  };
}
