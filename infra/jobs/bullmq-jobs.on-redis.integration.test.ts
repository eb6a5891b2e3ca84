import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { describeBullMqOn } from "../../testing/infra/jobs-contract.ts";
import { startTestRedis, type TestRedis } from "../../testing/infra/redis-server-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { isTransientError } from "../following/transient-fault.ts";
import { createLog } from "../process/log.ts";
import { createBullMqJobs } from "./bullmq-jobs.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

describeBullMqOn("BullMQ on Redis", () => redis.url);

const open = (connectionString: string) =>
  createBullMqJobs({ connectionString, queueName: "faults", log: createLog("silent") });

describe("An unreachable Redis", () => {
  it("is a transient error at once when adding, and is used again when it is back", async () => {
    await using server = await startTestRedis();
    const jobs = await open(server.url);
    const look = vi.fn(async () => undefined);
    await jobs.work(look);
    await server.kill();
    const fault = await jobs.add("lost").catch((error: unknown) => error);
    expect(isTransientError(fault), String(fault)).toBe(true);
    await server.start();
    await vi.waitFor(() => jobs.add("kept"), soon);
    await vi.waitFor(() => expect(look).toHaveBeenCalledOnce(), soon);
    await jobs.close();
  });

  it("does not prevent closing, even with a running job", async () => {
    await using server = await startTestRedis();
    const jobs = await open(server.url);
    const [began, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await jobs.work(async () => {
      began.resolve();
      await held.promise;
    });
    await jobs.add("in-hand");
    await began.promise;
    await server.kill();
    held.resolve();
    await expect(jobs.close()).resolves.toBeUndefined();
  });

  it("that froze is a transient error within seconds", async () => {
    await using server = await startTestRedis();
    const jobs = await open(server.url);
    await server.freeze();
    const fault = await jobs.add("lost").catch((error: unknown) => error);
    expect(isTransientError(fault), String(fault)).toBe(true);
    await server.thaw();
    await vi.waitFor(() => jobs.add("kept"), soon);
    await jobs.close();
  });
});

it("keeps all its keys under one prefix", async () => {
  await using server = await startTestRedis();
  const jobs = await open(server.url);
  await jobs.add("one");
  const keys = await server.keys();
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter((key) => !key.startsWith("certificates:faults:"))).toEqual([]);
  await jobs.close();
});
