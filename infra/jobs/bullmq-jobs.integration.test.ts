import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FaultProxy } from "../../testing/event-store/fault-proxy.ts";
import { describeBullMqOn } from "../../testing/infra/jobs-contract.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { createLog } from "../process/log.ts";
import { createBullMqJobs } from "./bullmq-jobs.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describeBullMqOn("BullMQ's Postgres backend", () => database.connectionString);

it("refuses to work where its database fails meanwhile, and does not ask it without a pause", async () => {
  const { proxy, connectionString } = await FaultProxy.before(database.connectionString);
  let faults = 0;
  const jobs = await createBullMqJobs({
    ...{ connectionString, queueName: "start", log: createLog("silent") },
    // Without a pause nothing else would run, not even the end of this test.
    onAway: () => {
      if (++faults === 100) void jobs.close();
    },
  });
  proxy.retarget("postgres://127.0.0.1:1");
  await expect(jobs.work(async () => undefined)).rejects.toThrow();
  await setImmediate();
  expect(faults).toBeLessThan(100);
  await jobs.close();
  await proxy.close();
});
