import { useLayoutEffect, useRef, useSyncExternalStore } from "react";

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

export function turnKeys(on: boolean): void {
  if (on) localStorage.removeItem(turnedOffKey);
  else localStorage.setItem(turnedOffKey, "true");
  changed();
}

/** The shortcuts bound at the moment. */
export const useBoundKeys = (): readonly Shortcut[] => useSyncExternalStore(subscribe, () => listed);

export const useKeysAreOn = (): boolean => useSyncExternalStore(subscribe, keysAreOn);

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
