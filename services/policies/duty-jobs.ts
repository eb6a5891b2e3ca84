import { z } from "zod";
import type { JobHandler, JobToAdd } from "../../infra/jobs/jobs.ts";
import type { PerformDuty } from "./perform-duty.ts";
import type { AnyDuty } from "./subject.ts";

/** What every duty's job is called; which duty it is stands in its data. */
export const dutyJobKind = "duty";

const jobData = z.object({ subjectId: z.string(), name: z.string() });

/** The job of a duty. Its id is made of the order's or ticket's and of the duty's name, so that adding it twice changes nothing while it waits. */
export function jobOf(duty: Pick<AnyDuty, "name"> & { subjectId: string; dueAt: Date }, now: Date): JobToAdd {
  const { subjectId, name, dueAt } = duty;
  return {
    kind: dutyJobKind,
    id: `${subjectId}-${name}`,
    data: { subjectId, name },
    delayMs: Math.max(0, dueAt.getTime() - now.getTime()),
  };
}

/** The handler of every duty's job. */
export function dutyHandler(perform: PerformDuty): JobHandler {
  return (data) => {
    const { subjectId, name } = jobData.parse(data);
    return perform(subjectId, name);
  };
}
