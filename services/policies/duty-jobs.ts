import { z } from "zod";
import type { Duty } from "../../domain/order/duty.ts";
import type { JobHandler, JobToAdd } from "../../infra/jobs/jobs.ts";
import type { PerformDuty } from "./perform-duty.ts";

/** What every duty's job is called; which duty it is stands in its data. */
export const dutyJobKind = "duty";

const jobData = z.object({ orderId: z.string(), name: z.string() });

/** The job of a duty. Its id is the order's and the duty's name, so that adding it twice changes nothing while it waits. */
export function jobOf(duty: Pick<Duty, "name"> & { orderId: string; dueAt: Date }, now: Date): JobToAdd {
  const { orderId, name, dueAt } = duty;
  return {
    kind: dutyJobKind,
    id: `${orderId}-${name}`,
    data: { orderId, name },
    delayMs: Math.max(0, dueAt.getTime() - now.getTime()),
  };
}

/** The handler of every duty's job. */
export function dutyHandler(perform: PerformDuty): JobHandler {
  return (data) => {
    const { orderId, name } = jobData.parse(data);
    return perform(orderId, name);
  };
}
