import { useEffect, useRef } from "react";
import * as overview from "../../contract/back-office/overview.ts";
import { notePosition } from "../api/request.ts";
import { call } from "../api/send.ts";
import { followUpdates, type Topic, type Update } from "./follow-updates.ts";

/** Everybody on this page who listens shares one stream. */
const listeners = new Set<(update: Update) => void>();
let stop: (() => void) | undefined;

function listen(listener: (update: Update) => void): () => void {
  listeners.add(listener);
  stop ??= followUpdates({
    isSeen,
    open: (signal) =>
      call(overview.followUpdates, {}, { signal: AbortSignal.any([signal, untilHidden(signal)]) }),
    heard: (update) => {
      for (const told of listeners) told(update);
    },
    at: notePosition,
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

const isSeen = (): boolean => document.visibilityState === "visible";

/**
 * Aborted as soon as nobody sees the page: a browser has six connections for one site, and tabs in the background and pages that
 * it keeps for its back button would hold one each, until no other page could load.
 */
function untilHidden(signal: AbortSignal): AbortSignal {
  const hidden = new AbortController();
  const look = (): void => {
    if (!isSeen()) hidden.abort();
  };
  document.addEventListener("visibilitychange", look, { signal: AbortSignal.any([signal, hidden.signal]) });
  return hidden.signal;
}

/** Waits, and then until the page is looked at: a page that nobody sees asks for nothing. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
  if (isSeen()) return;
  await new Promise<void>((resolve, reject) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

/**
 * Calls when something of these topics changed. `key` names the order (its id), the ticket (its id) or what else it is; null says
 * that much changed, or that something may have been missed: then everything shown is to be asked for again.
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
