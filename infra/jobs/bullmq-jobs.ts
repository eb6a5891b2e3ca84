import { createPostgresBackend, type Job, type Processor, Queue, Worker, type WorkerOptions } from "bullmq";
import { z } from "zod";
import { nameOfError } from "../following/follower-faults.ts";
import { isTransientError } from "../following/transient-fault.ts";
import { connectsWithinMs, idleInTransactionMs, silentAfterMs } from "../postgres/pool.ts";
import { endingWhenSilent } from "../postgres/silent-connections.ts";
import type { Log } from "../process/log.ts";
import { EndingRedis, failFast, waitForServer } from "../redis/open-redis.ts";
import type { JobHandler, Jobs, JobsStanding, JobToAdd, RunningJob } from "./jobs.ts";

type BullMqOptions = {
  /** postgres:// for BullMQ's Postgres backend, redis:// or rediss:// for Redis. */
  connectionString: string;
  /** Queues of other names in the same place are not touched. */
  queueName: string;
  log: Log;
  /** Called instead of logging when the queue's server is unreachable: at each attempt of each connection. */
  onAway?: (error: Error) => void;
  /** Attempts before the queue forgets a job. The sweep brings back what is still owed. */
  attempts?: number;
  /** Delay before the second attempt, doubling from there. */
  retryDelayMs?: number;
  /** A worker that is killed, or cannot renew its jobs, loses them to another after this time. */
  lockMs?: number;
  /** When a connection to Postgres that does not answer is closed; defaults to the pool's time. */
  silentAfterMs?: number;
};

const jobData = z.record(z.string(), z.union([z.string(), z.number()]));

/**
 * The job queue on BullMQ, in Postgres or Redis depending on the address.
 * @throws (from `add`, `pending`, `wipe`) a transient error at once when Redis is unreachable; workers wait until it is
 * back
 */
export async function createBullMqJobs(options: BullMqOptions): Promise<Jobs> {
  const { connectionString, queueName, log, onAway, lockMs = 15_000 } = options;
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
    async add(jobs) {
      if (jobs.length === 0) return;
      await queue.addBulk(jobs.map((job) => toBulk(job, options)));
    },
    async work(handlers, { concurrency }) {
      const { worker, close } = backend.openWorker(
        queueName,
        (job, token = "") => run(handlers, job.name, running(job, token, lockMs), job.data),
        {
          concurrency,
          lockDuration: lockMs,
          stalledInterval: 5_000,
          maxStalledCount: 5,
          drainDelay: 1,
        },
      );
      worker.on("error", onFault("job worker fault"));
      worker.on("failed", (job, error) =>
        log.warn(
          { job: job?.id, kind: job?.name, tries: job?.attemptsMade, code: nameOfError(error) },
          "job failed",
        ),
      );
      closeWorkers.push(close);
      await worker.waitUntilReady();
      return close;
    },
    standing: () => standingOf(queue),
    async pending() {
      const { waiting, delayed, active } = await standingOf(queue);
      return waiting + delayed + active;
    },
    wipe: () => queue.obliterate({ force: true }),
    async close() {
      closing = true;
      await Promise.all(closeWorkers.map((close) => close()));
      await closeQueue();
    },
  };
}

function toBulk(job: JobToAdd, options: BullMqOptions) {
  if (job.id.includes(":")) throw new Error(`A job id may not contain a colon: ${job.id}`);
  return {
    name: job.kind,
    data: job.data,
    opts: {
      jobId: job.id,
      delay: Math.max(0, Math.round(job.delayMs ?? 0)),
      priority: priorityOf(job),
      attempts: options.attempts ?? 4,
      backoff: { type: "exponential", delay: options.retryDelayMs ?? 500 },
      // A job kept after its end would swallow a later one with the same id.
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}

/** BullMQ runs jobs without a priority first, then by ascending number, ties in order of adding. */
function priorityOf({ priority }: JobToAdd): number {
  if (priority === "urgent") return 0;
  return priority === "background" ? 2 : 1;
}

/** Waiting jobs are in one of two lists, by priority; our jobs have no children. */
async function standingOf(queue: OpenQueue): Promise<JobsStanding> {
  const lists = ["wait", "prioritized"] as const;
  const [{ wait = 0, prioritized = 0, delayed = 0, active = 0 }, ...oldest] = await Promise.all([
    queue.getJobCounts(...lists, "active", "delayed"),
    ...lists.map((list) => queue.getJobs(list, 0, 0, true)),
  ]);
  const added = oldest.flat().map(({ timestamp }) => timestamp);
  const oldestWaiting = added.length === 0 ? undefined : new Date(Math.min(...added));
  return { waiting: wait + prioritized, delayed, active, oldestWaiting };
}

function running(job: Job, token: string, lockMs: number): RunningJob {
  const takenAt = Date.now();
  return {
    id: job.id ?? "",
    triesBefore: job.attemptsMade,
    isHeld: async () => {
      if (Date.now() - takenAt < lockMs / 2) return true;
      return job.extendLock(token, lockMs).then(
        (extended) => extended === 1,
        () => false,
      );
    },
  };
}

async function run(
  handlers: Readonly<Record<string, JobHandler>>,
  kind: string,
  job: RunningJob,
  data: unknown,
): Promise<void> {
  const handler = handlers[kind];
  if (!handler) throw new Error(`No handler for jobs of kind ${kind}.`);
  await handler(jobData.parse(data), job);
}

type OnError = (error: Error) => void;
type OnFailed = (job: { id?: string; name: string; attemptsMade: number } | undefined, error: Error) => void;

/** Common interface of both kinds of queue; BullMQ has separate classes for each backend. */
type OpenQueue = Pick<Queue, "addBulk" | "getJobCounts" | "obliterate"> & {
  getJobs(
    types: "wait" | "prioritized",
    start: number,
    end: number,
    oldestFirst: boolean,
  ): Promise<{ timestamp: number }[]>;
  on(event: "error", listener: OnError): unknown;
  waitUntilReady(): Promise<unknown>;
};
type OpenWorker = {
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
/**
 * On Postgres, where the queue's tables are made the same way. With the time for connecting, less than a follower's
 * transaction may be idle: jobs are added in it.
 */
const addsWithinMs = 15_000;
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
    // By default it would wait for ever on a connection that is dead, and the sweep and the followers with it.
    connectionTimeoutMillis: connectsWithinMs,
    query_timeout: silentMs,
    // BullMQ goes on with a connection whose query timed out. Its one for LISTEN would never answer again.
    stream: endingWhenSilent(silentMs),
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
  return {
    openQueue(name) {
      const impatient = { ...connection, query_timeout: Math.min(silentMs, addsWithinMs) };
      const queue = new Queue(name, { connection: impatient }, createPostgresBackend);
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
