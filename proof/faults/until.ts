import { setTimeout as delay } from "node:timers/promises";

/** Asks until an answer will do, or for as long as is given. @returns the last answer */
export async function until<Answer>(
  withinMs: number,
  ask: () => Answer | Promise<Answer>,
  willDo: (answer: Answer) => boolean,
): Promise<Answer> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (willDo(answer) || performance.now() > deadline) return answer;
    await delay(200);
  }
}
