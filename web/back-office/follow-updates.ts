import * as z from "zod/mini";

const topics = ["orders", "tickets", "drafts", "settings", "health"] as const;
export type Topic = (typeof topics)[number];

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
const pauseMs = (failures: number, random: number): number =>
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
