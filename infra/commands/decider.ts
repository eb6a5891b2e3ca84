/** Who asks for a command, when, and in answer to what. `id` is opaque. */
export interface CommandMetadata {
  /** Names this command for ever: a repeat under the same id gets the first result. */
  readonly commandId: string;
  /** When it is decided, ISO 8601 in UTC. */
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly correlationId: string;
  readonly reason?: string;
}

/** What the store knows of an event, apart from its type and data. */
export interface Recorded {
  readonly eventId: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Place in its stream, from 0. */
  readonly revision: number;
}

/** Folds a stream's events into a state. */
export interface Fold<State, Event> {
  readonly initial: State;
  evolve(state: State, event: Event, recorded: Recorded): State;
}

/** A pure model that the command handler runs. An empty decision means that the request is already true. */
export interface Decider<State, Command, Event, Metadata> extends Fold<State, Event> {
  /** @throws when a rule forbids it; then nothing is appended */
  decide(state: State, command: Command, metadata: Metadata): readonly Event[];
}
