import { randomUUID } from "node:crypto";
import { createBullMqJobs } from "../../infra/jobs/bullmq-jobs.ts";
import { createLog } from "../../infra/process/log.ts";
import { describeJobsContract } from "./jobs-contract.ts";

/** Runs the job queue contract on BullMQ with the backend at that address. */
export function describeBullMqOn(name: string, connectionString: () => string): void {
  // A permanent server still holds leftovers of earlier runs.
  const run = randomUUID();
  describeJobsContract(name, (queueName, options) =>
    createBullMqJobs({
      ...options,
      connectionString: connectionString(),
      queueName: `${run}-${queueName}`,
      log: createLog("silent"),
      attempts: 2,
      retryDelayMs: 20,
    }),
  );
}
