import { z } from "zod";
import type { JobHandler, JobToAdd } from "../../../infra/jobs/jobs.ts";
import type { PerformDuty } from "../perform-task.ts";
import type { AnyDuty } from "../subject.ts";
import type { ListedDuty } from "./task-list.ts";

/** What every duty's job is called; which duty it is stands in its data. */
export const dutyJobKind = "duty";

const jobData = z.object({ subjectId: z.string(), name: z.string() });

/** The promise about sensitive data counts in seconds: mails and submissions that wait are no reason to wait with it. */
const urgentKinds: ReadonlySet<AnyDuty["kind"]> = new Set(["purge", "destroyRecord"]);

/**
 * The job of a duty. Its id is made of the order's or ticket's and of the duty's name, so that adding it twice changes nothing while it waits.
 * @param otherwise what priority it has where it is not urgent
 */
export function jobOf(
  { subjectId, name, kind, dueAt }: ListedDuty,
  now: Date,
  otherwise?: "background",
): JobToAdd {
  const priority = urgentKinds.has(kind) ? "urgent" : otherwise;
  return {
    kind: dutyJobKind,
    id: `${subjectId}-${name}`,
    data: { subjectId, name },
    delayMs: Math.max(0, dueAt.getTime() - now.getTime()),
    ...(priority && { priority }),
  };
}

/** The handler of every duty's job. */
export function dutyHandler(perform: PerformDuty): JobHandler {
  return (data) => {
    const { subjectId, name } = jobData.parse(data);
    return perform(subjectId, name);
  };
}
