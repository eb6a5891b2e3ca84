import { useLayoutEffect, useRef, useSyncExternalStore } from "react";

/** A single key that does something while the page is open; `words` says what, in the list of keys. */
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
  // The newest first: where two want the same key, it is the one that works.
  const all = [...bound].reverse().flatMap(({ shortcuts }) => shortcuts);
  listed = all.filter(({ key }, at) => all.findIndex((other) => other.key === key) === at);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether single keys do anything. They can be turned off, because dictation types them unawares (WCAG 2.1.4). */
export const keysAreOn = (): boolean => localStorage.getItem(turnedOffKey) === null;

export function turnKeys(on: boolean): void {
  if (on) localStorage.removeItem(turnedOffKey);
  else localStorage.setItem(turnedOffKey, "true");
  changed();
}

/** The keys that work at the moment, for the list of keys. */
export const useBoundKeys = (): readonly Shortcut[] => useSyncExternalStore(subscribe, () => listed);

export const useKeysAreOn = (): boolean => useSyncExternalStore(subscribe, keysAreOn);

const typing = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

/** What a key press means here; undefined while somebody types, holds a modifier, or a dialog is open. */
export function shortcutOf(
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

/** Binds keys while the component is there; what was bound last wins. The array may be new with every render. */
export function useKeys(shortcuts: readonly Shortcut[]): void {
  const newest = useRef(shortcuts);
  newest.current = shortcuts;
  const names = shortcuts.map(({ key, words }) => `${key} ${words}`).join("\n");
  // Before the page is painted: whoever sees it may press a key at once, and on a busy machine an effect comes noticeably later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: bound anew when keys or words change; what they do is read when pressed.
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
