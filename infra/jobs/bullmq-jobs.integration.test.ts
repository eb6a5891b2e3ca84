import { afterAll, beforeAll } from "vitest";
import { createLog } from "../log.ts";
import { testDatabase } from "../postgres/test-database.ts";
import { createBullMqJobs } from "./bullmq-jobs.ts";
import { describeJobsContract } from "./contract.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describeJobsContract("BullMQ's Postgres backend", (queueName) =>
  createBullMqJobs({
    connectionString: database.connectionString,
    queueName,
    log: createLog("silent"),
    attempts: 2,
    retryDelayMs: 20,
  }),
);
