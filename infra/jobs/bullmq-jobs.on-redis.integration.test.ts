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
  createBullMqJobs({ connectionString, queueName: "faults", log: createLog("silent"), retryDelayMs: 20 });
const note = (id: string) => [{ kind: "note", id, data: {} }];

describe("An unreachable Redis", () => {
  it("is a transient error at once when adding, and is used again when it is back", async () => {
    await using server = await startTestRedis();
    const jobs = await open(server.url);
    const seen: string[] = [];
    await jobs.work({ note: async (_, job) => void seen.push(job.id) }, { concurrency: 1 });
    await server.kill();
    const fault = await jobs.add(note("lost")).catch((error: unknown) => error);
    expect(isTransientError(fault), String(fault)).toBe(true);
    await server.start();
    await vi.waitFor(() => jobs.add(note("kept")), soon);
    await vi.waitFor(() => expect(seen).toEqual(["kept"]), soon);
    await jobs.close();
  });

  it("does not prevent closing, even with a running job", async () => {
    await using server = await startTestRedis();
    const jobs = await open(server.url);
    const began = vi.fn();
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await jobs.work(
      {
        note: async () => {
          began();
          await held;
        },
      },
      { concurrency: 1 },
    );
    await jobs.add(note("in-hand"));
    await vi.waitFor(() => expect(began).toHaveBeenCalled(), soon);
    await server.kill();
    finish();
    await expect(jobs.close()).resolves.toBeUndefined();
  });

  it("that froze is a transient error within seconds", async () => {
    await using server = await startTestRedis();
    const jobs = await open(server.url);
    await server.freeze();
    const fault = await jobs.add(note("lost")).catch((error: unknown) => error);
    expect(isTransientError(fault), String(fault)).toBe(true);
    await server.thaw();
    await vi.waitFor(() => jobs.add(note("kept")), soon);
    await jobs.close();
  });
});

it("keeps all its keys under one prefix", async () => {
  await using server = await startTestRedis();
  const jobs = await open(server.url);
  await jobs.add(note("one"));
  const keys = await server.keys();
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter((key) => !key.startsWith("certificates:faults:"))).toEqual([]);
  await jobs.close();
});
