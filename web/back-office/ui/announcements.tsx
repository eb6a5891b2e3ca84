import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let latest = "";

/** Time for a dialog to close: screen readers announce nothing that is behind an open one. */
const afterDialogMs = 150;

/** Has screen readers say the result of an action that is otherwise only seen. */
export function announce(words: string): void {
  setTimeout(() => {
    // The same words again are a change only with something added.
    latest = latest === words ? `${words}\u00A0` : words;
    for (const listener of listeners) listener();
  }, afterDialogMs);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The region that is read out. Once on every page. */
export function Announcements() {
  const words = useSyncExternalStore(subscribe, () => latest);
  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  );
}
