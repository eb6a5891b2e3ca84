import { useEffect, useRef } from "react";
import * as overview from "../../contract/back-office/overview.ts";
import { notePosition } from "../api/request.ts";
import { call } from "../api/send.ts";
import { followUpdates, type Topic, type Update } from "./follow-updates.ts";

/** All listeners on the page share one stream. */
const listeners = new Set<(update: Update) => void>();
let stop: (() => void) | undefined;

function listen(listener: (update: Update) => void): () => void {
  listeners.add(listener);
  stop ??= followUpdates({
    isVisible,
    open: (signal) =>
      call(overview.followUpdates, {}, { signal: AbortSignal.any([signal, untilHidden(signal)]) }),
    onUpdate: (update) => {
      for (const notify of listeners) notify(update);
    },
    onPosition: notePosition,
    pause,
    random: Math.random,
  });
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stop?.();
    stop = undefined;
  };
}

const isVisible = (): boolean => document.visibilityState === "visible";

/**
 * Aborts once the page is hidden. Browsers allow six connections per site: background tabs and pages in the
 * back/forward cache would each hold one until no other page could load.
 */
function untilHidden(signal: AbortSignal): AbortSignal {
  const hidden = new AbortController();
  const check = (): void => {
    if (!isVisible()) hidden.abort();
  };
  document.addEventListener("visibilitychange", check, { signal: AbortSignal.any([signal, hidden.signal]) });
  return hidden.signal;
}

/** Waits `ms`, then until the page is visible: a hidden page makes no requests. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
  if (isVisible()) return;
  await new Promise<void>((resolve, reject) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

/**
 * Calls back on changes to these topics. `key` is the id of the order or ticket; null means many changes, or possibly
 * missed ones: reload everything shown.
 */
export function useUpdates(topics: readonly Topic[], onChange: (update: Update) => void): void {
  const newest = useRef({ topics, onChange });
  newest.current = { topics, onChange };
  useEffect(
    () =>
      listen((update) => {
        if (newest.current.topics.includes(update.topic)) newest.current.onChange(update);
      }),
    [],
  );
}

/** Calls back on changes to these topics: immediately, then at most once every `everyMs`. */
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
