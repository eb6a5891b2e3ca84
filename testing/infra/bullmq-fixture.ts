import { randomUUID } from "node:crypto";
import { createBullMqJobs } from "../../infra/jobs/bullmq-jobs.ts";
import { createLog } from "../../infra/process/log.ts";
import { describeJobsContract } from "./jobs-contract.ts";

/** For tests: the jobs' suite on BullMQ with the backend at that address. */
export function describeBullMqOn(name: string, connectionString: () => string): void {
  // A server that is not thrown away still holds what an earlier run left waiting.
  const run = randomUUID();
  describeJobsContract(name, (queueName) =>
    createBullMqJobs({
      connectionString: connectionString(),
      queueName: `${run}-${queueName}`,
      log: createLog("silent"),
      attempts: 2,
      retryDelayMs: 20,
    }),
  );
}
