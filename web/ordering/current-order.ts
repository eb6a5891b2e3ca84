import { useSyncExternalStore } from "react";
import { todayInLondon } from "../ui/dates.ts";
import { createAttemptStore } from "./checkout/order-attempt.ts";
import type { Draft } from "./draft/draft.ts";
import { createDraftStore } from "./draft/draft-store.ts";

/** 128 random bits. */
const newDraftId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");

/** The draft of this tab. */
export const draftStore = createDraftStore(sessionStorage, todayInLondon, newDraftId);

/** The draft, kept up to date. */
export const useDraft = (): Draft => useSyncExternalStore(draftStore.subscribe, draftStore.current);

/** This tab's current attempt to place the draft's order. */
export const attempts = createAttemptStore(sessionStorage);

/** True from the charge until the confirmation is shown. */
export const isPaid = (): boolean => attempts.read()?.paid === true;

/** Starts another order in this tab; the server completes one that is already paid. */
export function startNewOrder(draft: Draft): void {
  if (isPaid()) attempts.forget();
  draftStore.update(draft);
}

/** Deletes the draft and its attempt; the order is placed. The server ends what was saved of it. */
export function clearOrder(): void {
  draftStore.reset();
  attempts.forget();
}
