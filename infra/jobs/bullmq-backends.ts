import { createPostgresBackend, type Processor, Queue, Worker, type WorkerOptions } from "bullmq";
import { EndingRedis } from "../redis/ending-redis.ts";
import { failFast, waitForServer } from "../redis/redis-options.ts";

type OnError = (error: Error) => void;
type OnFailed = (job: { id?: string; name: string; attemptsMade: number } | undefined, error: Error) => void;

/** Common interface of both kinds of queue; BullMQ has separate classes for each backend. */
export type OpenQueue = Pick<Queue, "addBulk" | "getJobCounts" | "obliterate"> & {
  getJobs(
    types: "wait" | "prioritized",
    start: number,
    end: number,
    oldestFirst: boolean,
  ): Promise<{ timestamp: number }[]>;
  on(event: "error", listener: OnError): unknown;
  waitUntilReady(): Promise<unknown>;
};
export type OpenWorker = {
  on(event: "error", listener: OnError): unknown;
  on(event: "failed", listener: OnFailed): unknown;
  waitUntilReady(): Promise<unknown>;
};
type Closing = { close: () => Promise<void> };

/** Storage of BullMQ's queues. Closing waits for running jobs, but only seconds when the server is unreachable. */
export type Backend = {
  openQueue(name: string): { queue: OpenQueue } & Closing;
  openWorker(
    name: string,
    processor: Processor,
    options: Omit<WorkerOptions, "connection">,
  ): { worker: OpenWorker } & Closing;
};

/** Prefix of all our keys on a shared Redis. */
const keyPrefix = "certificates";
/** A frozen server must not delay adding a job. */
const answerWithinMs = 5000;
/** A server that has not answered for this long while closing is given up. */
const closingPatienceMs = 15_000;

/** @param address postgres:// or postgresql://, else redis:// or rediss:// */
export function backendOf(address: string): Backend {
  return new URL(address).protocol.startsWith("postgres") ? onPostgres(address) : onRedis(address);
}

function onPostgres(connectionString: string): Backend {
  const connection = { connectionString, migrate: true, max: 6 };
  return {
    openQueue(name) {
      const queue = new Queue(name, { connection }, createPostgresBackend);
      return { queue, close: () => queue.close() };
    },
    openWorker(name, processor, options) {
      const worker = new Worker(name, processor, { ...options, connection }, createPostgresBackend);
      return { worker, close: () => worker.close() };
    },
  };
}

function onRedis(address: string): Backend {
  return {
    openQueue(name) {
      const connection = new EndingRedis(address, failFast(answerWithinMs));
      const queue = new Queue(name, { connection, prefix: keyPrefix });
      return { queue, close: () => closeOnRedis(queue, connection) };
    },
    openWorker(name, processor, options) {
      const connection = new EndingRedis(address, waitForServer);
      const worker = new Worker(name, processor, { ...options, connection, prefix: keyPrefix });
      return { worker, close: () => closeOnRedis(worker, connection) };
    },
  };
}

/** By default they would retry reporting running jobs until the server is back. */
async function closeOnRedis(part: Closing, connection: EndingRedis): Promise<void> {
  const giveUpAt = Date.now() + closingPatienceMs;
  const watch = setInterval(() => {
    if (connection.status !== "ready" || Date.now() > giveUpAt) connection.endAll();
  }, 250);
  try {
    await part.close();
  } finally {
    clearInterval(watch);
    connection.endAll();
  }
}
