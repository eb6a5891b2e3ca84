import { createPostgresBackend, type Processor, Queue, Worker, type WorkerOptions } from "bullmq";
import { nameOfError } from "../following/follower-faults.ts";
import { isTransientError } from "../following/transient-fault.ts";
import { connectsWithinMs, idleInTransactionMs, silentAfterMs } from "../postgres/pool.ts";
import { endingWhenSilent } from "../postgres/silent-connections.ts";
import type { Log } from "../process/log.ts";
import { EndingRedis, failFast, waitForServer } from "../redis/open-redis.ts";
import type { Jobs, JobsStanding } from "./jobs.ts";

type BullMqOptions = {
  /** postgres:// for BullMQ's Postgres backend, redis:// or rediss:// for Redis. */
  connectionString: string;
  /** Queues of other names in the same place are not touched. */
  queueName: string;
  log: Log;
  /** Called instead of logging when the queue's server is unreachable: at each attempt of each connection. */
  onAway?: (error: Error) => void;
  /** When a connection to Postgres that does not answer is closed; defaults to the pool's time. */
  silentAfterMs?: number;
};

/** Jobs differ by their ids alone. */
const kind = "look";
/** A job that its worker has not renewed for so long, killed or cut off, goes to another. */
const lockMs = 15_000;

/**
 * The job queue on BullMQ, in Postgres or Redis depending on the address.
 * @throws (from `add`, `standing`, `wipe`) a transient error at once when Redis is unreachable; workers wait until it is
 * back
 */
export async function createBullMqJobs(options: BullMqOptions): Promise<Jobs> {
  const { connectionString, queueName, log, onAway } = options;
  const backend = backendOf(connectionString, options.silentAfterMs ?? silentAfterMs);
  const { queue, close: closeQueue } = backend.openQueue(queueName);
  let closing = false;
  const onFault = (words: string) => (error: Error) => {
    // During shutdown the server ends connections that are still closing.
    if (closing) return;
    if (onAway && isTransientError(error)) onAway(error);
    else log.warn({ code: nameOfError(error), queue: queueName }, words);
  };
  const closeWorkers: (() => Promise<void>)[] = [];
  queue.on("error", onFault("job queue fault"));
  await queue.waitUntilReady();

  return {
    async add(id) {
      if (id.includes(":")) throw new Error(`A job id may not contain a colon: ${id}`);
      // A job kept after its end would swallow a later one with the same id.
      await queue.add(kind, {}, { jobId: id, removeOnComplete: true, removeOnFail: true });
    },
    async work(look) {
      const { worker, close } = backend.openWorker(queueName, look, {
        ...{ concurrency: 1, lockDuration: lockMs, stalledInterval: 5_000, maxStalledCount: 5 },
        autorun: false,
      });
      worker.on("error", onFault("job worker fault"));
      worker.on("failed", (job, error) => log.warn({ job: job?.id, code: nameOfError(error) }, "job failed"));
      closeWorkers.push(close);
      // BullMQ remembers a failed start for ever: its loop would go round on it without a pause, and nothing else in this
      // process would run.
      await worker.waitUntilReady();
      worker.run().catch(onFault("job worker ended"));
      return close;
    },
    standing: () => standingOf(queue),
    wipe: () => queue.obliterate({ force: true }),
    async close() {
      closing = true;
      await Promise.all(closeWorkers.map((close) => close()));
      await closeQueue();
    },
  };
}

async function standingOf(queue: OpenQueue): Promise<JobsStanding> {
  const [{ wait = 0, active = 0 }, [oldest]] = await Promise.all([
    queue.getJobCounts("wait", "active"),
    queue.getJobs("wait", 0, 0, true),
  ]);
  return { waiting: wait, active, oldestWaiting: oldest && new Date(oldest.timestamp) };
}

type OnError = (error: Error) => void;
type OnFailed = (job: { id?: string } | undefined, error: Error) => void;

/** Common interface of both kinds of queue; BullMQ has separate classes for each backend. */
type OpenQueue = Pick<Queue, "add" | "getJobCounts" | "obliterate"> & {
  getJobs(types: "wait", start: number, end: number, oldestFirst: boolean): Promise<{ timestamp: number }[]>;
  on(event: "error", listener: OnError): unknown;
  waitUntilReady(): Promise<unknown>;
};
type OpenWorker = {
  run(): Promise<void>;
  on(event: "error", listener: OnError): unknown;
  on(event: "failed", listener: OnFailed): unknown;
  waitUntilReady(): Promise<unknown>;
};
type Closing = { close: () => Promise<void> };

/** Storage of BullMQ's queues. Closing waits for running jobs, but only seconds when the server is unreachable. */
type Backend = {
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
function backendOf(address: string, silentMs: number): Backend {
  return new URL(address).protocol.startsWith("postgres") ? onPostgres(address, silentMs) : onRedis(address);
}

function onPostgres(connectionString: string, silentMs: number): Backend {
  const connection = {
    ...{ connectionString, migrate: true, max: 6 },
    // Jobs are hints: those of a crashed server's last moment may be lost.
    options: "-c synchronous_commit=off",
    // By default it would wait for ever on a connection that is dead, and a stopping process with it.
    connectionTimeoutMillis: connectsWithinMs,
    query_timeout: silentMs,
    // BullMQ goes on with a connection whose query timed out. Its one for LISTEN would never answer again.
    stream: endingWhenSilent(silentMs),
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
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
