import { addSeconds, before, type Instant } from "../../instant.ts";
import { owedPurges, purgePromiseSeconds } from "../personal-data/purge-tasks.ts";
import { phasesBeforeSubmission } from "../phases.ts";
import type { Order } from "../state.ts";
import type { Task } from "../tasks/task.ts";
import { type StaffTask, staffTasks } from "./staff-tasks.ts";

/** What an order may wait for: staff tasks, and what staff only watch. */
export const workQueues = [
  /** Paid, and the GRO does not have it. */
  "notSubmitted",
  "submissionFailed",
  "overdue",
  "longOverdue",
  "refundPending",
  "refundProposed",
  "refundFailed",
  "overRefunded",
  "groQuestion",
  "purgeDue",
  /** Due for longer than customers are promised. */
  "purgeLate",
  "purgeFailed",
  "contradiction",
  "confirmationUndeliverable",
  "disputeOpen",
] as const;
export type WorkQueue = (typeof workQueues)[number];

// Counted from the fact itself: how soon after it the job comes is a setting, and what is kept for months is none of
// these queues'.
const fromTheFact = { purgeAfterSeconds: 0, contactRetentionDays: 0 };

const isPurge = (task: Task) => task.kind === "purge" && task.rule !== "retention";

/**
 * Since when personal data is there that nothing needs any more, earlier failures left aside; null when there is none.
 */
export function purgeWaitsSince(order: Order): Instant | null {
  const { application, contact } = order.purges;
  const untried = { failures: 0, failedAt: null };
  const purges = { application: { ...application, ...untried }, contact: { ...contact, ...untried } };
  const settings = { ...fromTheFact, unpaidExpiresAfterSeconds: 0, submissionRequestedWithinSeconds: 0 };
  const since = owedPurges({ ...order, purges }, settings)
    .filter(isPurge)
    .map(({ dueAt }) => dueAt);
  return since.reduce<Instant | null>(
    (first, at) => (first !== null && before(first, at) ? first : at),
    null,
  );
}

/** What waits since an earlier moment is later than customers are promised. */
export const purgeLateBefore = (now: Instant): Instant => addSeconds(now, -purgePromiseSeconds);

/** The queues that an order waits in whatever the time. */
export function lastingQueues(order: Order): WorkQueue[] {
  // At the beginning of time nothing is late, and what remains does not hang on the time.
  const tasks: ReadonlySet<StaffTask | WorkQueue> = new Set(staffTasks(order, new Date(0).toISOString()));
  const waits = (queue: WorkQueue) =>
    tasks.has(queue) && queue !== "submissionFailed" && queue !== "overdue" && queue !== "longOverdue";
  return workQueues.filter(
    (queue) =>
      waits(queue) ||
      (queue === "notSubmitted" && phasesBeforeSubmission.includes(order.phase)) ||
      (queue === "refundPending" && order.refunds.some(({ status }) => status === "pending")),
  );
}

/** What a list of orders may be sorted by. */
export const orderSorts = ["created", "paid", "updated", "total", "despatch"] as const;
export type OrderSort = (typeof orderSorts)[number];
