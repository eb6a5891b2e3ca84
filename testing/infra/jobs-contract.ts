import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createBullMqJobs } from "../../infra/jobs/bullmq-jobs.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import { createLog } from "../../infra/process/log.ts";
import { soon } from "../setup/patience.ts";

/** Waiting and running jobs. */
async function pending(jobs: Jobs): Promise<number> {
  const { waiting, active } = await jobs.standing();
  return waiting + active;
}

/**
 * The contract of every job queue. `open` returns a new connection to the same queue; each test gets a separate queue.
 */
function describeJobsContract(name: string, openQueue: (queueName: string) => Promise<Jobs>): void {
  describe(`jobs on ${name}`, () => {
    const opened: Jobs[] = [];
    let number = 0;
    let current = "";
    const open = async (): Promise<Jobs> => {
      const jobs = await openQueue(current);
      opened.push(jobs);
      return jobs;
    };
    const fresh = async (): Promise<Jobs> => {
      number += 1;
      current = `contract-${number}`;
      return open();
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((jobs) => jobs.close()));
    });

    it("has a worker look once for each job, and again under the id of one that has ended", async () => {
      const jobs = await fresh();
      const look = vi.fn(async () => undefined);
      await jobs.work(look);
      await jobs.add("one");
      await vi.waitFor(
        async () => expect([look.mock.calls.length, await pending(jobs)]).toEqual([1, 0]),
        soon,
      );
      await jobs.add("one");
      await vi.waitFor(() => expect(look).toHaveBeenCalledTimes(2), soon);
    });

    it("wakes one of several workers, in whichever process", async () => {
      const [adding, working] = [await fresh(), await open()];
      const look = vi.fn(async () => undefined);
      await working.work(look);
      await adding.add("one");
      await vi.waitFor(
        async () => expect([look.mock.calls.length, await pending(adding)]).toEqual([1, 0]),
        soon,
      );
    });

    it("ignores adding a job that is already waiting", async () => {
      const jobs = await fresh();
      await Promise.all([jobs.add("one"), jobs.add("one")]);
      await jobs.add("one");
      expect(await pending(jobs)).toBe(1);
    });

    it("reports waiting jobs and their age", async () => {
      const jobs = await fresh();
      expect(await jobs.standing()).toEqual({ waiting: 0, active: 0, oldestWaiting: undefined });
      const before = Date.now();
      await jobs.add("first");
      const between = Date.now();
      await jobs.add("second");
      const { oldestWaiting, ...counts } = await jobs.standing();
      expect(counts).toEqual({ waiting: 2, active: 0 });
      // The database has a clock of its own, and rounds.
      const roundingMs = 5;
      expect(oldestWaiting?.getTime()).toBeGreaterThanOrEqual(before - roundingMs);
      expect(oldestWaiting?.getTime()).toBeLessThanOrEqual(between + roundingMs);
    });

    it("forgets a job that fails", async () => {
      const jobs = await fresh();
      const look = vi.fn(() => Promise.reject(new Error("not yet")));
      await jobs.work(look);
      await jobs.add("shaky");
      await vi.waitFor(
        async () => expect([look.mock.calls.length, await pending(jobs)]).toEqual([1, 0]),
        soon,
      );
    });

    it("keeps waiting jobs when the process that added them is gone", async () => {
      const first = await fresh();
      await first.add("kept");
      await first.close();
      opened.splice(opened.indexOf(first), 1);
      const look = vi.fn(async () => undefined);
      await (await open()).work(look);
      await vi.waitFor(() => expect(look).toHaveBeenCalledOnce(), soon);
    });

    it("stops after a running job, and keeps the rest", async () => {
      const jobs = await fresh();
      const [began, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let ended = 0;
      const stop = await jobs.work(async () => {
        began.resolve();
        await held.promise;
        ended += 1;
      });
      await jobs.add("in-hand");
      await began.promise;
      const stopped = stop();
      await jobs.add("waits");
      held.resolve();
      await stopped;
      expect([ended, await pending(jobs)]).toEqual([1, 1]);
    });

    it("removes everything when wiped, and keeps working", async () => {
      const jobs = await fresh();
      await jobs.add("lost");
      await jobs.wipe();
      expect(await pending(jobs)).toBe(0);
      const look = vi.fn(async () => undefined);
      await jobs.work(look);
      await jobs.add("lost");
      await vi.waitFor(() => expect(look).toHaveBeenCalledOnce(), soon);
    });

    it("refuses an id with a colon before anything is written", async () => {
      const jobs = await fresh();
      await expect(jobs.add("a:b")).rejects.toThrow("colon");
      expect(await pending(jobs)).toBe(0);
    });
  });
}

/** Runs the job queue contract on BullMQ with the backend at that address. */
export function describeBullMqOn(name: string, connectionString: () => string): void {
  // A permanent server still holds leftovers of earlier runs.
  const run = randomUUID();
  describeJobsContract(name, (queueName) =>
    createBullMqJobs({
      connectionString: connectionString(),
      queueName: `${run}-${queueName}`,
      log: createLog("silent"),
    }),
  );
}
