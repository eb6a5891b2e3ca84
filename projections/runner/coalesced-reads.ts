import DataLoader from "dataloader";

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
