import { type DraftCommand, draftDecider, unknownDraft } from "../../../domain/saved-draft/decide.ts";
import { draftEventSchema, draftEventSchemas, draftStream } from "../../../domain/saved-draft/events.ts";
import type { DraftState, SavedDraft } from "../../../domain/saved-draft/state.ts";
import type { Cause } from "../../../infra/commands/history.ts";
import { type CommandBusDependencies, type CommandRequest, createCommandBus } from "../../command-bus.ts";

type DraftRequest = CommandRequest<DraftState, DraftCommand> & { readonly draftId: string };

/** A loaded draft, and its last event, which causes what is done next. */
type LoadedDraft = { readonly draft: SavedDraft; readonly cause: Cause | undefined };

/** Loads saved drafts and executes commands on them. */
export interface SavedDrafts {
  /** @throws Refused when a rule forbids it */
  execute(request: DraftRequest): Promise<SavedDraft>;
  /** Undefined if the log has none with this id. */
  find(draftId: string): Promise<LoadedDraft | undefined>;
}

/** Creates the command bus of saved drafts on a store. */
export function createSavedDrafts(ground: CommandBusDependencies): SavedDrafts {
  const bus = createCommandBus(ground, {
    decider: draftDecider,
    eventTypes: draftEventSchemas,
    parseEvent: (event) => draftEventSchema.parse(event),
    streamOf: draftStream,
    starts: ({ type }) => type === "SaveDraft",
  });
  return {
    execute: async ({ draftId, ...request }) => {
      const { state } = await bus.execute(draftId, request);
      if (state.isSaved) return state;
      throw unknownDraft();
    },
    find: async (draftId) => {
      const { state, cause } = await bus.load(draftId);
      return state.isSaved ? { draft: state, cause } : undefined;
    },
  };
}
