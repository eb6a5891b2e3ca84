import DataLoader from "dataloader";

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

/** Most concurrent batches: with two, one is gathered while another is answered. */
const mostInFlight = 2;
const largestBatch = 200;

/**
 * Gathers concurrent single reads into one. Nothing is cached: a read sees what is committed when it is sent. A key
 * missing from the answer reads as undefined.
 */
export function coalesce<Value>(
  readMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  const waiting: (() => void)[] = [];
  let inFlight = 0;

  /** After the sockets that are ready in this turn, so that their requests are included. */
  function schedule(dispatch: () => void): void {
    if (inFlight >= mostInFlight) {
      waiting.push(dispatch);
      return;
    }
    inFlight += 1;
    setImmediate(dispatch);
  }

  function finish(): void {
    inFlight -= 1;
    const next = waiting.shift();
    if (next) schedule(next);
  }

  const loader = new DataLoader<string, Value | undefined>(
    async (keys) => {
      try {
        const found = await readMany(keys);
        return keys.map((key) => found.get(key));
      } finally {
        finish();
      }
    },
    { cache: false, maxBatchSize: largestBatch, batchScheduleFn: schedule },
  );
  return (key) => loader.load(key);
}
