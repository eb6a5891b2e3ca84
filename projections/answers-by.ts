import DataLoader from "dataloader";
import type { Pool } from "../infra/postgres/pool.ts";
import { packingBy } from "./runner/packing.ts";
import { schemaOf, type Table } from "./runner/projection.ts";

type Answering = {
  readonly name: string;
  readonly version: number;
  readonly table: Pick<Table<never>, "name" | "dictionary">;
};

/**
 * Finds a read model's `answer` by a unique column; undefined when there is none. Concurrent reads are sent as one
 * query.
 * @param statement names the prepared statement
 */
export function answersBy<Answer>(
  pool: Pool,
  projection: Answering,
  statement: string,
  column: string,
): (key: string) => Promise<Answer | undefined> {
  const table = `${schemaOf(projection)}.${projection.table.name}`;
  const { unpack } = packingBy(projection.table.dictionary);
  return coalesce(async (keys) => {
    const { rows } = await pool.query<{ found: string; answer: Answer | Buffer }>({
      name: statement,
      text: `select ${column} as found, answer from ${table} where ${column} = any($1)`,
      values: [keys],
    });
    return new Map(rows.map(({ found, answer }) => [found, unpack(answer)]));
  });
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
