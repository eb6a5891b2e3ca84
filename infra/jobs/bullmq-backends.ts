import { createPostgresBackend, type Processor, Queue, Worker, type WorkerOptions } from "bullmq";
import { EndingRedis } from "../redis/ending-redis.ts";
import { failFast, waitForServer } from "../redis/redis-options.ts";

type OnError = (error: Error) => void;
type OnFailed = (job: { id?: string; name: string; attemptsMade: number } | undefined, error: Error) => void;

/** What both kinds of queue have in common; BullMQ's classes are of one backend each. */
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

/** Where BullMQ keeps its queues. Closing ends after what is in hand, within seconds where the server is away. */
export type Backend = {
  openQueue(name: string): { queue: OpenQueue } & Closing;
  openWorker(
    name: string,
    processor: Processor,
    options: Omit<WorkerOptions, "connection">,
  ): { worker: OpenWorker } & Closing;
};

/** All keys of ours on a Redis that others use as well. */
const keyPrefix = "certificates";
/** A frozen server must not hold up whoever adds a job. */
const answerWithinMs = 5000;
/** Once a server that is there has not answered for so long while closing, it is given up. */
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

/** By themselves they would go on trying to report what was in hand until the server is back. */
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
