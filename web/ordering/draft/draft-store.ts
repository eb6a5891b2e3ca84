import { type Draft, draftIn, emptyDraft } from "./draft.ts";
import { withoutOutdatedSignature } from "./signature.ts";
import { storedDraft } from "./stored-draft.ts";

/** What the store needs of `sessionStorage`: each tab has its own, and it survives a reload or a redirect. */
export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const key = "order-draft";

/** Holds the draft of this tab, in memory and in the given storage. `today` is the day in London. */
export function createDraftStore(storage: DraftStorage, today: () => string) {
  let draft = draftIn(storage.getItem(key)) ?? emptyDraft();
  const listeners = new Set<() => void>();
  const change = (next: Draft): void => {
    draft = next;
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: (): Draft => draft,
    /** Changes the named parts; a signature for what is no longer ordered goes. */
    update(part: Partial<Draft>): void {
      const next = withoutOutdatedSignature(draft, { ...draft, ...part });
      storage.setItem(key, JSON.stringify(storedDraft(next, today())));
      change(next);
    },
    /** Forgets everything that was typed. */
    reset(): void {
      storage.removeItem(key);
      change(emptyDraft());
    },
    /** Sets what the choice costs, in pounds. */
    setTotal(total: number): void {
      if (draft.total !== total) this.update({ total });
    },
  };
}
