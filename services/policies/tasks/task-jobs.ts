import { z } from "zod";
import type { JobHandler, JobToAdd } from "../../../infra/jobs/jobs.ts";
import type { PerformTask } from "../perform-task.ts";
import type { AnyTask } from "../subject.ts";
import type { ListedTask } from "./task-list.ts";

/** Job name of every task; the data says which task. */
export const taskJobKind = "duty";

const jobData = z.object({ subjectId: z.string(), name: z.string() });

/** The promise about sensitive data counts in seconds: purges do not queue behind mails and submissions. */
const urgentKinds: ReadonlySet<AnyTask["kind"]> = new Set(["purge", "destroyRecord"]);

/**
 * The job of a task. Its id combines the subject's id and the task's name, so adding it again while it waits changes
 * nothing.
 * @param otherwise priority if not urgent
 */
export function jobOf(
  { subjectId, name, kind, dueAt }: ListedTask,
  now: Date,
  otherwise?: "background",
): JobToAdd {
  const priority = urgentKinds.has(kind) ? "urgent" : otherwise;
  return {
    kind: taskJobKind,
    id: `${subjectId}-${name}`,
    data: { subjectId, name },
    delayMs: Math.max(0, dueAt.getTime() - now.getTime()),
    ...(priority && { priority }),
  };
}

export function taskHandler(perform: PerformTask): JobHandler {
  return (data) => {
    const { subjectId, name } = jobData.parse(data);
    return perform(subjectId, name);
  };
}
