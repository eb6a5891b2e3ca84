import { before, type Instant } from "../../domain/instant.ts";
import {
  lastingQueues,
  purgeLateBefore,
  purgeWaitsSince,
  type StaffTask,
  staffTasks,
  type WorkQueue,
  workQueues,
} from "../../domain/order/staff/work-queues.ts";
import type { Order } from "../../domain/order/state.ts";

/** Every queue that an order waits in at a moment: what the lists ask the database for is this. */
export function queuesOf(order: Order, now: Instant): WorkQueue[] {
  const timed: ReadonlySet<StaffTask | WorkQueue> = new Set(staffTasks(order, now));
  const lasting = lastingQueues(order);
  const since = purgeWaitsSince(order);
  const isLate = since !== null && before(since, purgeLateBefore(now));
  return workQueues.filter(
    (queue) =>
      timed.has(queue) ||
      lasting.includes(queue) ||
      (queue === "purgeDue" && since !== null && !before(now, since)) ||
      (queue === "purgeLate" && isLate),
  );
}
