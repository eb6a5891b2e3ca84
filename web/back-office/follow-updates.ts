import * as z from "zod/mini";

/** What can change. */
export const topics = ["orders", "tickets", "settings", "health"] as const;
export type Topic = (typeof topics)[number];

/** Something changed. `key` is null when much did, or when some of it may have been missed. */
export interface Update {
  readonly topic: Topic;
  readonly key: string | null;
}

/** What following needs of the browser. Passed in, so that lost connections can be tried. */
export interface FollowUpdatesParts {
  /** Whether somebody sees the page. One that was opened out of sight is not followed before it is looked at. */
  readonly isSeen: () => boolean;
  /** Opens the stream, for as long as the page is seen. @throws when it is refused or nothing answers */
  readonly open: (signal: AbortSignal) => Promise<Response>;
  readonly heard: (update: Update) => void;
  /** The newest position of the log that was told of: the next read asks for at least that much. */
  readonly at: (position: string) => void;
  /** Resolves after so many milliseconds, and not before the page is looked at. @throws when the signal is aborted */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

const message = z.object({ topic: z.enum(topics), key: z.nullable(z.string()) });

/** Follows the back office's updates until the answered function is called; a lost stream is opened again, ever more slowly. */
export function followUpdates(parts: FollowUpdatesParts): () => void {
  const stopping = new AbortController();
  void follow(parts, stopping.signal);
  return () => stopping.abort();
}

async function follow(parts: FollowUpdatesParts, signal: AbortSignal): Promise<void> {
  let failures = 0;
  let opened = 0;
  if (!parts.isSeen()) {
    // What the page shows may be old by the time it is seen: as after a stream that was lost.
    opened = 1;
    await parts.pause(0, signal).catch(() => undefined);
  }
  while (!signal.aborted) {
    try {
      const response = await parts.open(signal);
      failures = 0;
      opened += 1;
      // Nobody knows what happened while nothing was heard.
      if (opened > 1) for (const topic of topics) parts.heard({ topic, key: null });
      await listen(response, parts);
    } catch {
      // Refused or lost: the same remedy, and request() has said why.
      failures += 1;
    }
    await parts.pause(pauseMs(failures, parts.random()), signal).catch(() => undefined);
  }
}

/** Doubles with each failure, up to 30 s; spread, so that many browsers do not come back at the same moment. */
export const pauseMs = (failures: number, random: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10)) * (0.5 + random / 2);

async function listen(response: Response, { heard, at }: FollowUpdatesParts): Promise<void> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (waiting + value).split("\n\n");
    waiting = blocks.pop() ?? "";
    for (const block of blocks) tell(block, heard, at);
  }
}

/** One event of the stream: `id: …`, `event: changed`, `data: …`. Comments and what else may come are passed over. */
function tell(block: string, heard: FollowUpdatesParts["heard"], at: FollowUpdatesParts["at"]): void {
  const lines = new Map(block.split("\n").map((line) => cut(line)));
  const data = lines.get("data");
  if (lines.get("event") !== "changed" || data === undefined) return;
  const position = lines.get("id");
  if (position) at(position);
  const parsed = message.safeParse(JSON.parse(data));
  if (parsed.success) heard(parsed.data);
}

function cut(line: string): readonly [string, string] {
  const colon = line.indexOf(": ");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 2)];
}
