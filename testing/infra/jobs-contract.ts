import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createBullMqJobs } from "../../infra/jobs/bullmq-jobs.ts";
import type { JobHandler, Jobs, JobToAdd } from "../../infra/jobs/jobs.ts";
import { createLog } from "../../infra/process/log.ts";
import { soon } from "../setup/patience.ts";

/**
 * The contract of every job queue. `open` returns a new connection to the same queue; each test gets a separate queue.
 */
function describeJobsContract(
  name: string,
  openQueue: (queueName: string, options: { lockMs?: number }) => Promise<Jobs>,
): void {
  describe(`jobs on ${name}`, () => {
    const opened: Jobs[] = [];
    let number = 0;
    let current = "";
    const open = async (options: { lockMs?: number } = {}): Promise<Jobs> => {
      const jobs = await openQueue(current, options);
      opened.push(jobs);
      return jobs;
    };
    const fresh = async (options?: { lockMs: number }): Promise<Jobs> => {
      number += 1;
      current = `contract-${number}`;
      return open(options);
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((jobs) => jobs.close()));
    });

    it("hands each job's data to the handler of its kind", async () => {
      const jobs = await fresh();
      const seen: unknown[] = [];
      await jobs.work({ greet: async (data, job) => void seen.push([data, job.id]) }, { concurrency: 1 });
      await jobs.add([{ kind: "greet", id: "greet-1", data: { order: "a", attempt: 2 } }]);
      await vi.waitFor(() => expect(seen).toEqual([[{ order: "a", attempt: 2 }, "greet-1"]]), soon);
      await vi.waitFor(async () => expect(await jobs.pending()).toBe(0), soon);
    });

    it("ignores adding a job that is already waiting", async () => {
      const jobs = await fresh();
      const job = { kind: "count", id: "count-1", data: {} };
      await jobs.add([job, job]);
      await jobs.add([job]);
      expect(await jobs.pending()).toBe(1);
    });

    it("runs urgent jobs before all waiting ones, also when they were delayed", async () => {
      const jobs = await fresh();
      const note = (id: string, more: Partial<JobToAdd> = {}) => ({ kind: "note", id, data: {}, ...more });
      await jobs.add(["mail-1", "mail-2", "mail-3"].map((id) => note(id)));
      await jobs.add([
        note("purge-1", { priority: "urgent" }),
        note("purge-2", { priority: "urgent", delayMs: 100 }),
      ]);
      const isDue = Date.now() + 100;
      const seen: string[] = [];
      const handler = async (_: unknown, { id }: { id: string }): Promise<void> => {
        await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(isDue), soon);
        seen.push(id);
      };
      await jobs.work({ note: handler }, { concurrency: 1 });
      await vi.waitFor(() => expect(seen).toHaveLength(5), soon);
      expect(seen).toEqual(["purge-1", "purge-2", "mail-1", "mail-2", "mail-3"]);
    });

    it("runs background jobs after all other waiting ones", async () => {
      const jobs = await fresh();
      const note = (id: string, more: Partial<JobToAdd> = {}) => ({ kind: "note", id, data: {}, ...more });
      await jobs.add(["old-1", "old-2"].map((id) => note(id, { priority: "background" })));
      await jobs.add([note("mail-1"), note("purge-1", { priority: "urgent" })]);
      const seen: string[] = [];
      const handler = async (_: unknown, { id }: { id: string }) => void seen.push(id);
      await jobs.work({ note: handler }, { concurrency: 1 });
      await vi.waitFor(() => expect(seen).toHaveLength(4), soon);
      expect(seen).toEqual(["purge-1", "mail-1", "old-1", "old-2"]);
    });

    it("reports waiting jobs, their age, and delayed jobs", async () => {
      const jobs = await fresh();
      expect(await jobs.standing()).toEqual({ waiting: 0, delayed: 0, active: 0, oldestWaiting: undefined });
      const before = Date.now();
      await jobs.add([{ kind: "count", id: "first", data: {} }]);
      await jobs.add([
        { kind: "count", id: "second", data: {} },
        { kind: "count", id: "later", data: {}, delayMs: 60_000 },
      ]);
      const { oldestWaiting, ...counts } = await jobs.standing();
      expect(counts).toEqual({ waiting: 2, delayed: 1, active: 0 });
      expect(oldestWaiting?.getTime()).toBeGreaterThanOrEqual(before);
      expect(oldestWaiting?.getTime()).toBeLessThanOrEqual(Date.now());
    });

    it("passes a handler the number of earlier attempts", async () => {
      const jobs = await fresh();
      const tries: number[] = [];
      await jobs.work(
        {
          shaky: async (_, { triesBefore }) => {
            tries.push(triesBefore);
            if (triesBefore === 0) throw new Error("not yet");
          },
        },
        { concurrency: 1 },
      );
      await jobs.add([{ kind: "shaky", id: "shaky-1", data: {} }]);
      await vi.waitFor(() => expect(tries).toEqual([0, 1]), soon);
    });

    it("runs a job under the id of one that has ended", async () => {
      const jobs = await fresh();
      let runs = 0;
      await jobs.work(
        {
          count: async () => {
            runs += 1;
          },
        },
        { concurrency: 1 },
      );
      await jobs.add([{ kind: "count", id: "count-1", data: {} }]);
      await vi.waitFor(async () => expect([runs, await jobs.pending()]).toEqual([1, 0]), soon);
      await jobs.add([{ kind: "count", id: "count-1", data: {} }]);
      await vi.waitFor(() => expect(runs).toBe(2), soon);
    });

    it("retries a failing job, then forgets it, so that it can be added again", async () => {
      const jobs = await fresh();
      let tries = 0;
      let broken = true;
      await jobs.work(
        {
          shaky: async () => {
            tries += 1;
            if (broken) throw new Error("not yet");
          },
        },
        { concurrency: 1 },
      );
      await jobs.add([{ kind: "shaky", id: "shaky-1", data: {} }]);
      await vi.waitFor(async () => expect([tries, await jobs.pending()]).toEqual([2, 0]), soon);
      broken = false;
      await jobs.add([{ kind: "shaky", id: "shaky-1", data: {} }]);
      await vi.waitFor(async () => expect([tries, await jobs.pending()]).toEqual([3, 0]), soon);
    });

    it("holds a delayed job back until it is due", async () => {
      const jobs = await fresh();
      const order: string[] = [];
      await jobs.work({ note: async (_, job) => void order.push(job.id) }, { concurrency: 1 });
      await jobs.add([
        { kind: "note", id: "later", data: {}, delayMs: 700 },
        { kind: "note", id: "now", data: {} },
      ]);
      await vi.waitFor(() => expect(order).toEqual(["now", "later"]), soon);
    });

    it("keeps waiting jobs when the process that added them is gone", async () => {
      const first = await fresh();
      await first.add([{ kind: "note", id: "kept", data: {} }]);
      await first.close();
      opened.splice(opened.indexOf(first), 1);
      const second = await open();
      const seen: string[] = [];
      await second.work({ note: async (_, job) => void seen.push(job.id) }, { concurrency: 1 });
      await vi.waitFor(() => expect(seen).toEqual(["kept"]), soon);
    });

    it("stops after running jobs, and keeps the rest", async () => {
      const jobs = await fresh();
      const ended: string[] = [];
      let finish = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const began = vi.fn();
      const stop = await jobs.work(
        {
          note: async (_, job) => {
            began();
            await held;
            ended.push(job.id);
          },
        },
        { concurrency: 1 },
      );
      await jobs.add([{ kind: "note", id: "in-hand", data: {} }]);
      await vi.waitFor(() => expect(began).toHaveBeenCalled(), soon);
      const stopped = stop();
      await jobs.add([{ kind: "note", id: "waits", data: {} }]);
      finish();
      await stopped;
      expect(ended).toEqual(["in-hand"]);
      expect(await jobs.pending()).toBe(1);
    });

    it("tells a worker whether it still holds the job for it", async () => {
      const lockMs = 4_000;
      const jobs = await fresh({ lockMs });
      const answers: boolean[] = [];
      const [heldLong, wiped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const handler: JobHandler = async (_, { isHeld }) => {
        answers.push(await isHeld());
        await delay(lockMs / 2);
        answers.push(await isHeld());
        heldLong.resolve();
        await wiped.promise;
        answers.push(await isHeld());
      };
      await jobs.work({ note: handler }, { concurrency: 1 });
      await jobs.add([{ kind: "note", id: "held", data: {} }]);
      await heldLong.promise;
      await jobs.wipe();
      wiped.resolve();
      await vi.waitFor(() => expect(answers).toEqual([true, true, false]), soon);
    });

    it("removes everything when wiped, and keeps working", async () => {
      const jobs = await fresh();
      await jobs.add([{ kind: "note", id: "lost", data: {}, delayMs: 60_000 }]);
      await jobs.wipe();
      expect(await jobs.pending()).toBe(0);
      const seen: string[] = [];
      await jobs.work({ note: async (_, job) => void seen.push(job.id) }, { concurrency: 1 });
      await jobs.add([{ kind: "note", id: "lost", data: {} }]);
      await vi.waitFor(() => expect(seen).toEqual(["lost"]), soon);
    });

    it("refuses an id with a colon before anything is written", async () => {
      const jobs = await fresh();
      await expect(jobs.add([{ kind: "note", id: "a:b", data: {} }])).rejects.toThrow("colon");
      expect(await jobs.pending()).toBe(0);
    });
  });
}

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
