import { createPostgresBackend, Queue, Worker } from "bullmq";
import { z } from "zod";
import { nameOfFault } from "../following/follower-faults.ts";
import type { Log } from "../log.ts";
import type { JobHandler, Jobs, JobToAdd } from "./jobs.ts";

export type BullMqOptions = {
  connectionString: string;
  /** Queues of other names in the same database are left alone. */
  queueName: string;
  log: Log;
  /** How often a job is tried before the queue forgets it. The sweep brings back what is still owed. */
  attempts?: number;
  /** Delay before the second try; it doubles from there. */
  retryDelayMs?: number;
};

const jobData = z.record(z.string(), z.union([z.string(), z.number()]));

/** The job queue on BullMQ's Postgres backend. */
export async function createBullMqJobs(options: BullMqOptions): Promise<Jobs> {
  const { connectionString, queueName, log } = options;
  const connection = { connectionString, migrate: true, max: 6 };
  const queue = new Queue(queueName, { connection }, createPostgresBackend);
  let closing = false;
  const onFault = (words: string) => (error: Error) => {
    // While stopping, the server ends connections that have not quite gone.
    if (!closing) log.warn({ code: nameOfFault(error), queue: queueName }, words);
  };
  const workers: { close: () => Promise<void> }[] = [];
  queue.on("error", onFault("job queue fault"));
  await queue.waitUntilReady();

  return {
    async add(jobs) {
      if (jobs.length === 0) return;
      await queue.addBulk(jobs.map((job) => toBulk(job, options)));
    },
    async work(handlers, { concurrency }) {
      const worker = new Worker(
        queueName,
        (job) => run(handlers, job.name, job.id ?? "", job.data),
        {
          connection,
          concurrency,
          // A worker that was killed loses its job to another after this time.
          lockDuration: 15_000,
          stalledInterval: 5_000,
          maxStalledCount: 5,
          drainDelay: 1,
        },
        createPostgresBackend,
      );
      worker.on("error", onFault("job worker fault"));
      worker.on("failed", (job, error) =>
        log.warn(
          { job: job?.id, kind: job?.name, tries: job?.attemptsMade, code: nameOfFault(error) },
          "job failed",
        ),
      );
      workers.push(worker);
      await worker.waitUntilReady();
      return () => worker.close();
    },
    async pending() {
      const counts = await queue.getJobCounts("wait", "active", "delayed", "prioritized", "waiting-children");
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    wipe: () => queue.obliterate({ force: true }),
    async close() {
      closing = true;
      await Promise.all(workers.map((worker) => worker.close()));
      await queue.close();
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
      attempts: options.attempts ?? 4,
      backoff: { type: "exponential", delay: options.retryDelayMs ?? 500 },
      // A job that is kept after it ended swallows a later one under its id.
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}

async function run(
  handlers: Readonly<Record<string, JobHandler>>,
  kind: string,
  id: string,
  data: unknown,
): Promise<void> {
  const handler = handlers[kind];
  if (!handler) throw new Error(`No handler for jobs of kind ${kind}.`);
  await handler(jobData.parse(data), { id });
}
