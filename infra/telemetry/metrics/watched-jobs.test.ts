import { expect, it } from "vitest";
import type { JobHandler, Jobs } from "../../jobs/jobs.ts";
import { createMeter } from "./meter.ts";
import { platformFamilies } from "./platform-families.ts";
import { watchJobs } from "./watched-ports.ts";

/** A queue that runs a job when the test says. */
async function watchedQueue(handler: JobHandler) {
  const meter = createMeter();
  let run: JobHandler = handler;
  const queue: Jobs = {
    add: async () => undefined,
    work: async ({ note = handler }) => {
      run = note;
      return async () => undefined;
    },
    standing: async () => ({ waiting: 3, delayed: 2, active: 1, oldestWaiting: undefined }),
    pending: async () => 6,
    wipe: async () => undefined,
    close: async () => undefined,
  };
  const jobs = watchJobs(queue, { meter, families: platformFamilies(meter), now: () => new Date() });
  await jobs.work({ note: handler }, { concurrency: 1 });
  return {
    jobs,
    run: (triesBefore = 0) => run({}, { id: "one", triesBefore, isHeld: async () => true }),
    text: () => meter.text(),
  };
}

it("counts the jobs added, and times those that ran", async () => {
  const { jobs, run, text } = await watchedQueue(async () => undefined);
  await jobs.add([{ kind: "note", id: "one", data: {} }]);
  await run();
  expect(await text()).toContain('certificates_jobs_added_total{kind="note"} 1');
  expect(await text()).toContain('certificates_job_seconds_count{kind="note",outcome="done"} 1');
  expect(await text()).toContain('certificates_jobs{state="waiting"} 3');
});

it("counts failures and further attempts", async () => {
  const { run, text } = await watchedQueue(() => Promise.reject(new Error("refused")));
  await expect(run(1)).rejects.toThrow("refused");
  expect(await text()).toContain('certificates_job_seconds_count{kind="note",outcome="failed"} 1');
  expect(await text()).toContain('certificates_job_retries_total{kind="note"} 1');
});
