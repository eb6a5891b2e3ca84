import type { JobHandler, Jobs } from "../../jobs/jobs.ts";
import type { Meter } from "./meter.ts";
import type { PlatformFamilies } from "./platform-families.ts";

/** Counts and times jobs, and exports the state of the queue at each scrape. */
export function watchJobs(
  jobs: Jobs,
  { meter, families, now }: { meter: Meter; families: PlatformFamilies; now: () => Date },
): Jobs {
  meter.source("jobs", async () => {
    const { waiting, delayed, active, oldestWaiting } = await jobs.standing();
    families.jobs.set({ state: "waiting" }, waiting);
    families.jobs.set({ state: "delayed" }, delayed);
    families.jobs.set({ state: "active" }, active);
    const ageMs = oldestWaiting ? now().getTime() - oldestWaiting.getTime() : 0;
    families.oldestJobSeconds.set({}, Math.max(0, ageMs) / 1000);
  });
  return {
    add: async (added) => {
      await jobs.add(added);
      for (const { kind } of added) families.jobsAdded.add({ kind });
    },
    work: (handlers, options) =>
      jobs.work(
        Object.fromEntries(
          Object.entries(handlers).map(([kind, handler]) => [kind, watched(kind, handler, families)]),
        ),
        options,
      ),
    standing: () => jobs.standing(),
    pending: () => jobs.pending(),
    wipe: () => jobs.wipe(),
    close: () => jobs.close(),
  };
}

function watched(
  kind: string,
  handler: JobHandler,
  { jobSeconds, jobRetries }: PlatformFamilies,
): JobHandler {
  return async (data, job) => {
    if (job.triesBefore > 0) jobRetries.add({ kind });
    const startedAt = performance.now();
    const ended = (outcome: "done" | "failed") =>
      jobSeconds.observe({ kind, outcome }, (performance.now() - startedAt) / 1000);
    try {
      await handler(data, job);
      ended("done");
    } catch (error) {
      ended("failed");
      throw error;
    }
  };
}
