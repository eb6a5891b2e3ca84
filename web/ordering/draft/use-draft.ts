import { useSyncExternalStore } from "react";
import { todayInLondon } from "../../ui/dates.ts";
import type { Draft } from "./draft.ts";
import { createDraftStore } from "./draft-store.ts";

/** The draft of this tab. */
export const draftStore = createDraftStore(sessionStorage, todayInLondon);

/** The draft, kept up to date. */
export const useDraft = (): Draft => useSyncExternalStore(draftStore.subscribe, draftStore.current);
