/**
 * Coalesces calls during a read into one more read: a submission changes an order a dozen times in a second. The answer
 * was always read after the call: SWR answers a read that another one overtakes with what it had before.
 */
export function oneAtATime<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let running: Promise<unknown> | undefined;
  let next: Promise<Answer> | undefined;
  const readNext = async (): Promise<Answer> => {
    await running;
    next = undefined;
    const answer = read();
    // Whoever asked learns of a failure.
    running = answer.catch(() => undefined);
    return answer;
  };
  return () => {
    next ??= readNext();
    return next;
  };
}
