import { z } from "zod";
import type { JobToAdd, RunningJob } from "../../../infra/jobs/jobs.ts";
import type { AnyTask } from "../subject.ts";
import type { ListedTask } from "./task-list.ts";
import type { Visits } from "./visits.ts";

/** Job name of every visit. Earlier builds made one for each task, in the same form. */
export const taskJobKind = "duty";

const jobData = z.object({ subjectId: z.string(), name: z.string() });

/** The promise about sensitive data counts in seconds: purges do not queue behind mails and submissions. */
const urgentKinds: ReadonlySet<AnyTask["kind"]> = new Set(["purge", "destroyRecord"]);

/**
 * Jobs to visit subjects when their tasks fall due, one for all tasks of a subject that are due at the same time. The
 * id combines the two, so adding a job again while it waits or runs changes nothing.
 */
export const visitsAt = (tasks: readonly ListedTask[], now: Date, otherwise?: "background"): JobToAdd[] =>
  jobsOf(tasks, (dueAt) => Math.max(0, dueAt.getTime() - now.getTime()), otherwise);

/** Jobs to visit subjects now, behind all others. */
export const visitsNow = (tasks: readonly ListedTask[]): JobToAdd[] => jobsOf(tasks, () => 0, "background");

/** @param otherwise priority if not urgent */
function jobsOf(
  tasks: readonly ListedTask[],
  delayMs: (dueAt: Date) => number,
  otherwise: "background" | undefined,
): JobToAdd[] {
  const together = Map.groupBy(tasks, ({ subjectId, dueAt }) => `${subjectId}-${dueAt.getTime()}`);
  return [...together].flatMap(([id, own]) => {
    const [first] = own;
    if (!first) return [];
    const { subjectId, name, dueAt } = first;
    const priority = own.some(({ kind }) => urgentKinds.has(kind)) ? "urgent" : otherwise;
    const job = { kind: taskJobKind, id, data: { subjectId, name }, delayMs: delayMs(dueAt) };
    return [{ ...job, ...(priority && { priority }) }];
  });
}

/** Visits for a job of the queue, or without one. */
export const taskHandler =
  ({ visit }: Visits) =>
  (data: JobToAdd["data"], job?: RunningJob): Promise<void> => {
    const { subjectId, name } = jobData.parse(data);
    return visit(subjectId, name, job);
  };
