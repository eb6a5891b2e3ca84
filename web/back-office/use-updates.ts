import { useEffect, useRef } from "react";
import * as z from "zod/mini";
import * as overview from "../../contract/back-office/overview.ts";
import { notePosition } from "../api/request.ts";
import { call } from "../api/send.ts";

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

const topics = ["orders", "tickets", "drafts", "settings", "health"] as const;
type Topic = (typeof topics)[number];

/** A change. `key` is null when many things changed, or changes may have been missed. */
export interface Update {
  readonly topic: Topic;
  readonly key: string | null;
}

/** Browser dependencies, passed in to test lost connections. */
interface FollowUpdatesDependencies {
  /** A page opened in the background is not followed until it is visible. */
  readonly isVisible: () => boolean;
  /** Opens the stream until the page is hidden. @throws when it is refused or unreachable */
  readonly open: (signal: AbortSignal) => Promise<Response>;
  readonly onUpdate: (update: Update) => void;
  /** Called with the newest log position, which the next read must include. */
  readonly onPosition: (position: string) => void;
  /** Resolves after `ms` once the page is visible. @throws when the signal is aborted */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 to 1. */
  readonly random: () => number;
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

const message = z.object({ topic: z.enum(topics), key: z.nullable(z.string()) });

/** Follows the back office's updates, reconnecting with backoff. @returns a function that stops it */
export function followUpdates(browser: FollowUpdatesDependencies): () => void {
  const stopping = new AbortController();
  void follow(browser, stopping.signal);
  return () => stopping.abort();
}

async function follow(browser: FollowUpdatesDependencies, signal: AbortSignal): Promise<void> {
  let failures = 0;
  let opened = 0;
  if (!browser.isVisible()) {
    // The page may be out of date by the time it is visible, as after a lost stream.
    opened = 1;
    await browser.pause(0, signal).catch(() => undefined);
  }
  while (!signal.aborted) {
    try {
      const response = await browser.open(signal);
      failures = 0;
      opened += 1;
      // Changes may have been missed since the last stream.
      if (opened > 1) for (const topic of topics) browser.onUpdate({ topic, key: null });
      await readUpdates(response, browser);
    } catch {
      // Refused or lost: retry either way; request() has logged why.
      failures += 1;
    }
    await browser.pause(pauseMs(failures, browser.random()), signal).catch(() => undefined);
  }
}

/** Doubles with each failure, up to 30 s, with jitter to spread reconnecting browsers. */
export const pauseMs = (failures: number, random: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10)) * (0.5 + random / 2);

async function readUpdates(
  response: Response,
  { onUpdate, onPosition }: FollowUpdatesDependencies,
): Promise<void> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (waiting + value).split("\n\n");
    waiting = blocks.pop() ?? "";
    for (const block of blocks) readBlock(block, onUpdate, onPosition);
  }
}

/** Reads one event: `id: …`, `event: changed`, `data: …`. Ignores comments and unknown events. */
function readBlock(
  block: string,
  onUpdate: FollowUpdatesDependencies["onUpdate"],
  onPosition: FollowUpdatesDependencies["onPosition"],
): void {
  const lines = new Map(block.split("\n").map((line) => cut(line)));
  const data = lines.get("data");
  if (lines.get("event") !== "changed" || data === undefined) return;
  const position = lines.get("id");
  if (position) onPosition(position);
  const parsed = message.safeParse(JSON.parse(data));
  if (parsed.success) onUpdate(parsed.data);
}

function cut(line: string): readonly [string, string] {
  const colon = line.indexOf(": ");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 2)];
}
