import { pause } from "../../../infra/following/follower-turn.ts";
import type { ParkedStream } from "../../../infra/following/parked-streams.ts";

export type ParkedRecord = ParkedStream & {
  /** Null for a stream of anything else. */
  readonly subject: { readonly kind: "order" | "ticket" | "draft"; readonly id: string } | null;
  /** Number of its due tasks, which wait with it. */
  readonly tasksDue: number;
};

export type ParkedRecords = {
  /** Longest parked first. */
  list(limit: number): Promise<readonly ParkedRecord[]>;
  count(): Promise<number>;
  /**
   * Asks the running followers to retry one stream or all, which happens within seconds. @returns the number of streams
   * asked for
   */
  retry(stream?: string): Promise<number>;
};

const lookEveryMs = 250;
/** A follower checks for retry requests every second, and needs time for each. */
const usualPatienceMs = 30_000;
const mostWatched = 10_000;

/** Result of a retry. `done` is false if a stream is still parked, or not tried yet. */
type Tried = { readonly done: boolean; readonly words: string };

/** Requests a retry of one parked stream or all, and waits a while for the result. */
export async function retryParked(
  records: ParkedRecords,
  stream?: string,
  patienceMs = usualPatienceMs,
): Promise<Tried> {
  const asked = await records.retry(stream);
  if (asked === 0)
    return stream === undefined
      ? { done: true, words: "Nothing is parked." }
      : { done: false, words: `${stream} is not parked: name a stream as --list shows it.` };
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const left = (await records.list(mostWatched)).filter(
      (one) => stream === undefined || one.stream === stream,
    );
    const waiting = left.filter(({ isAsked }) => isAsked).length;
    if (waiting === 0 || performance.now() >= deadline)
      return { done: left.length === 0, words: wordsFor(asked, left.length, waiting) };
    await pause(lookEveryMs);
  }
}

function wordsFor(asked: number, left: number, waiting: number): string {
  const resumed = `Resumed ${Math.max(0, asked - left)} of ${asked} parked streams.`;
  return waiting === 0
    ? resumed
    : `${resumed} Not tried yet: ${waiting}; that is done as soon as a worker or projection runner follows the log.`;
}

export function wordsOf({ stream, name, revision, reason, since, tries, tasksDue }: ParkedRecord): string {
  const tried = tries === 0 ? "" : `, tried again ${tries === 1 ? "once" : `${tries} times`}`;
  const waits = tasksDue === 0 ? "" : `, tasks due: ${tasksDue}`;
  return `${stream} has been parked by ${name} since ${since.toISOString()} at revision ${revision} (${reason})${tried}${waits}`;
}
