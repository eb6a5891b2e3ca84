import type { Draft } from "../draft/draft.ts";
import { draftStore } from "../draft/use-draft.ts";
import { attempts, isPaid } from "./attempts.ts";

/** Starts another order in this tab; the server completes one that is already paid. */
export function startAfresh(draft: Draft): void {
  if (isPaid()) attempts.forget();
  draftStore.update(draft);
}
