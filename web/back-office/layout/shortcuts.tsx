import { useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { Dialog } from "../ui/action-dialog.tsx";

/** A single-key shortcut; `words` describes it in the list of shortcuts. */
export interface Shortcut {
  readonly key: string;
  readonly words: string;
  readonly run: () => void;
}

const turnedOffKey = "back-office-keys-off";
const bound = new Set<{ readonly shortcuts: readonly Shortcut[] }>();
const listeners = new Set<() => void>();
let listed: readonly Shortcut[] = [];

function changed(): void {
  // The newest binding of a key wins.
  const all = [...bound].reverse().flatMap(({ shortcuts }) => shortcuts);
  listed = all.filter(({ key }, at) => all.findIndex((other) => other.key === key) === at);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether shortcuts are on. Users can turn them off because dictation software triggers them (WCAG 2.1.4). */
const keysAreOn = (): boolean => localStorage.getItem(turnedOffKey) === null;

function turnKeys(on: boolean): void {
  if (on) localStorage.removeItem(turnedOffKey);
  else localStorage.setItem(turnedOffKey, "true");
  changed();
}

/** The shortcuts bound at the moment. */
const useBoundKeys = (): readonly Shortcut[] => useSyncExternalStore(subscribe, () => listed);

const useKeysAreOn = (): boolean => useSyncExternalStore(subscribe, keysAreOn);

const typing = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

/** The shortcut for a key press; undefined while typing, with a modifier key, or in a dialog. */
function shortcutOf(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "target" | "defaultPrevented">,
): Shortcut | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !keysAreOn()) return;
  if (event.target instanceof Element && event.target.closest(typing)) return;
  if (document.querySelector("dialog[open]")) return;
  return listed.find(({ key }) => key === event.key);
}

function pressed(event: KeyboardEvent): void {
  const shortcut = shortcutOf(event);
  if (!shortcut) return;
  event.preventDefault();
  shortcut.run();
}

/** Binds shortcuts while the component is mounted; the last binding wins. The array may change on every render. */
export function useKeys(shortcuts: readonly Shortcut[]): void {
  const newest = useRef(shortcuts);
  newest.current = shortcuts;
  const names = shortcuts.map(({ key, words }) => `${key} ${words}`).join("\n");
  // A layout effect: keys must work as soon as the page is painted, and effects may run noticeably later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rebinds when keys or words change; `run` is read on each press.
  useLayoutEffect(() => {
    const own = {
      shortcuts: newest.current.map(({ key, words }, at) => ({
        key,
        words,
        run: () => newest.current[at]?.run(),
      })),
    };
    if (bound.size === 0) addEventListener("keydown", pressed);
    bound.add(own);
    changed();
    return () => {
      bound.delete(own);
      if (bound.size === 0) removeEventListener("keydown", pressed);
      changed();
    };
  }, [names]);
}

/** Focuses the page's search field, marked with `data-search`. */
function focusSearch(): void {
  document.querySelector<HTMLElement>("[data-search]")?.focus();
}

/** Shortcut button, and the list that `?` opens. */
export function KeyHelp() {
  const [open, setOpen] = useState(false);
  const keys = useBoundKeys();
  const on = useKeysAreOn();
  useKeys([
    { key: "/", words: "Search", run: focusSearch },
    { key: "?", words: "Show this list", run: () => setOpen(true) },
  ]);
  return (
    <>
      <button
        type="button"
        className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-4 text-13 text-muted hover:text-primary max-md:hidden"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <kbd className="key-cap">?</kbd> Shortcuts
      </button>
      <KeyList open={open} onClose={() => setOpen(false)} keys={keys} on={on} />
    </>
  );
}

interface KeyListProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly keys: ReturnType<typeof useBoundKeys>;
  readonly on: boolean;
}

function KeyList({ open, onClose, keys, on }: KeyListProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <dl className="mt-4 grid grid-cols-[3.5rem_1fr] items-baseline gap-y-2 text-14">
        {keys.map(({ key, words }) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="key-cap">{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex cursor-pointer items-center gap-2 text-14">
        <input
          type="checkbox"
          className="small-mark"
          checked={on}
          onChange={({ target }) => turnKeys(target.checked)}
        />
        Use single-key shortcuts
      </label>
      <p className="mt-1 text-13 text-muted">Turn this off if you use voice control.</p>
      <div className="mt-5 flex justify-end">
        <button type="button" className="button button-dense button-outlined" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
