import { useEffect, useRef } from "react";
import type { Topic } from "./follow-updates.ts";
import { useUpdates } from "./use-updates.ts";

/** Calls when something of these topics changed: at once, and then no oftener than every so many milliseconds, however much happens. */
export function useCalmUpdates(topics: readonly Topic[], onChange: () => void, everyMs: number): void {
  const newest = useRef(onChange);
  newest.current = onChange;
  const waiting = useRef<{ timer: number | undefined; lastAt: number }>({ timer: undefined, lastAt: 0 });
  useUpdates(topics, () => {
    const state = waiting.current;
    if (state.timer !== undefined) return;
    const inMs = Math.max(0, state.lastAt + everyMs - Date.now());
    state.timer = window.setTimeout(() => {
      state.timer = undefined;
      state.lastAt = Date.now();
      newest.current();
    }, inMs);
  });
  useEffect(() => () => window.clearTimeout(waiting.current.timer), []);
}
