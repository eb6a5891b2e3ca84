/** Who sends a command, when, and in response to what. `id` is opaque. */
export interface CommandMetadata {
  /** Identifies this command for ever: a repeat gets the first result. */
  readonly commandId: string;
  /** When it is decided, ISO 8601 in UTC. */
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly correlationId: string;
  readonly reason?: string;
}

/** Store metadata of an event, apart from its type and data. */
export interface Recorded {
  readonly eventId: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Index in its stream, from 0. */
  readonly revision: number;
}

export interface Fold<State, Event> {
  readonly initial: State;
  evolve(state: State, event: Event, recorded: Recorded): State;
}

/** A pure model run by the command handler. An empty decision means that the request is already fulfilled. */
export interface Decider<State, Command, Event, Metadata> extends Fold<State, Event> {
  /** @throws when a rule forbids it; nothing is appended */
  decide(state: State, command: Command, metadata: Metadata): readonly Event[];
}
