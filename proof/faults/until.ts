import { isDeepStrictEqual } from "node:util";
import { type Clock, realClock } from "../../services/policies/work/worker-lease.ts";

const askEveryMs = 200;

/**
 * Asks until an answer will do, or has stayed the same for as long as is given: a busy machine may take its time, as long
 * as it gets on. @returns the last answer
 */
export async function until<Answer>(
  withinMs: number,
  ask: () => Answer | Promise<Answer>,
  willDo: (answer: Answer) => boolean,
  { sinceBootMs, pause }: Clock = realClock,
): Promise<Answer> {
  let before = await ask();
  let sinceMs = sinceBootMs();
  for (;;) {
    if (willDo(before) || sinceBootMs() - sinceMs > withinMs) return before;
    await pause(askEveryMs);
    const answer = await ask();
    if (!isDeepStrictEqual(answer, before)) sinceMs = sinceBootMs();
    before = answer;
  }
}
