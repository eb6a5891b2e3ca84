import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { ExpectedRevision, Position } from "../event-store/event-store.ts";
import type { JsonObject } from "../json.ts";
import type { Fold } from "./decider.ts";
import { fold, type History, type RecordedEvent } from "./history.ts";

/**
 * Result of a command. `state` and `revision` are those right after it. `events` is empty when there was nothing to do;
 * nothing is written then, so a repeat is decided afresh.
 */
export type CommandResult<State, Event> = {
  readonly events: readonly RecordedEvent<Event>[];
  readonly state: State;
  readonly revision: ExpectedRevision;
  readonly position: Position;
  /** This is the first result of a command run before. */
  readonly repeated: boolean;
};

export class CommandReused extends Error {
  override name = "CommandReused";
  readonly commandId: string;
  constructor(commandId: string) {
    super("Another command was sent under the same id before.");
    this.commandId = commandId;
  }
}

/** SHA-256, in hex, of a command's canonical JSON. Never for personal data: the hash of a form can be guessed. */
export async function fingerprintOf({ type, data }: { type: string; data: JsonObject }): Promise<string> {
  return hash("sha256", canonicalize({ type, data }) ?? "", "hex");
}

/**
 * The first result of a command run before, undefined for a new one. Not compared when either fingerprint is null.
 * @throws CommandReused when the fingerprints differ
 */
export async function firstResult<State, Event>(
  decider: Fold<State, Event>,
  history: History<State, Event>,
  commandId: string,
  compute: () => Promise<string | null>,
): Promise<CommandResult<State, Event> | undefined> {
  const done = history.commands.get(commandId);
  if (!done) return undefined;
  const fingerprint = await compute();
  const comparable = done.fingerprint !== null && fingerprint !== null;
  if (comparable && done.fingerprint !== fingerprint) throw new CommandReused(commandId);
  const { firstRevision, revision, position } = done;
  return {
    events: history.events.slice(firstRevision, revision + 1),
    state: fold(decider, decider.initial, history.events.slice(0, revision + 1)),
    revision,
    position,
    repeated: true,
  };
}
