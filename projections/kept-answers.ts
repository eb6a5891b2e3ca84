/** Answers a question, or returns a recent answer. `now` is ISO 8601 in UTC. */
type Keep<Answer> = (question: string, now: string, ask: () => Promise<Answer>) => Promise<Answer>;

const mostQuestions = 50;

/**
 * Caches answers that are expensive and may be slightly old. Concurrent callers share one computation; a failed one is
 * not kept.
 */
export function keepAnswers<Answer>(forSeconds: number): Keep<Answer> {
  const kept = new Map<string, { since: number; answer: Promise<Answer> }>();
  return (question, now, ask) => {
    const at = Date.parse(now);
    const known = kept.get(question);
    if (known && Math.abs(at - known.since) < forSeconds * 1000) return known.answer;
    const answer = ask();
    const fresh = { since: at, answer };
    kept.delete(question);
    kept.set(question, fresh);
    const [oldest] = kept.keys();
    if (kept.size > mostQuestions && oldest !== undefined) kept.delete(oldest);
    answer.catch(() => {
      if (kept.get(question) === fresh) kept.delete(question);
    });
    return answer;
  };
}
