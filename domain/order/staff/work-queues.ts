import { type CalendarDate, daysAfter } from "../../calendar-date.ts";
import { addDays, addSeconds, before, type Instant } from "../../instant.ts";
import { londonDate } from "../../promise/london-time.ts";
import { purgePromiseSeconds } from "../../promise/purge-promise.ts";
import { isUndelivered } from "../mail-rules.ts";
import { hasOpenDispute, isOverRefunded, unassignedRefunds } from "../payment/money.ts";
import { isRefundStuck } from "../payment/refund-tasks.ts";
import { owedPurges } from "../personal-data/purge-tasks.ts";
import { awaitsAnswer } from "../personal-data/vault-records.ts";
import { hasEnded, phasesBeforeSubmission } from "../phases.ts";
import type { Order } from "../state.ts";
import { isSubmissionStuck } from "../submission/submission-window.ts";
import type { Task } from "../tasks/task.ts";

/** What only a person can resolve. */
export type StaffTask =
  /** A mail did not arrive: its address is to be corrected, or it is to be sent again. */
  | "undelivered"
  /** No automatic attempt is left, or one has been open for a day: the 'failed submissions'. */
  | "submissionFailed"
  | "groQuestion"
  /** The GRO was given, or sent, something for an order that had ended or was never paid for. */
  | "contradiction"
  /** A refund does not reach the card. */
  | "refundFailed"
  /** More money went back than was paid, and the customer can still be written to. */
  | "overRefunded"
  /** A refund made by hand at the provider names none of the orders that its payment is for. */
  | "refundUnassigned"
  /** A refund, a bank transfer or the outcome of a dispute waits for a second person. */
  | "refundProposed"
  /** A bank waits for evidence, and no refund leaves until it has decided. */
  | "disputeOpen"
  | "purgeFailed"
  /** Past the promised day of despatch. */
  | "overdue"
  /** Long past it: see `longOverdueDays`. */
  | "longOverdue";

/** Days past the promise after which an overdue order needs a person. */
const longOverdueDays = 60;

/** What was promised for an earlier day is overdue, or long overdue. */
export const overdueBefore = (now: string): CalendarDate => londonDate(now);
export const longOverdueBefore = (now: string): CalendarDate => daysAfter(londonDate(now), -longOverdueDays);

/** The day by which an order is to be despatched, while it still is. */
export const awaitedBy = ({ promise, phase, dispatchedAt }: Order): CalendarDate | null =>
  promise === null || hasEnded(phase) || dispatchedAt !== null ? null : promise.despatchBy;

const contradicts = ({ phase, submissions, dispatchedAt, submission, end }: Order): boolean => {
  const isWithGro = phase === "Submitted" || phase === "Dispatched" || phase === "Fulfilled";
  if (isWithGro || phase === "Confirmed" || phase === "Submitting" || phase === "Paid") return false;
  if (phase === "Failed") {
    const reports = [submission?.recordedAt, dispatchedAt];
    return reports.some((at) => at && end && before(end.at, at));
  }
  return submissions > 0 || dispatchedAt !== null;
};

const isOverpaid = (order: Order): boolean =>
  order.vault.contact !== null && order.payments.some(({ intentId }) => isOverRefunded(order, intentId));

function overdue(order: Order, now: string): StaffTask[] {
  const day = awaitedBy(order);
  if (day === null || day >= overdueBefore(now)) return [];
  return day < longOverdueBefore(now) ? ["overdue", "longOverdue"] : ["overdue"];
}

/** What waits for staff at a moment. */
export function staffTasks(order: Order, now: string): StaffTask[] {
  const { application, contact } = order.purges;
  const tasks: (readonly [StaffTask, boolean])[] = [
    ["undelivered", isUndelivered(order)],
    ["submissionFailed", isSubmissionStuck(order, now)],
    ["groQuestion", awaitsAnswer(order)],
    ["contradiction", contradicts(order)],
    ["refundFailed", order.payments.some((payment) => isRefundStuck(order, payment))],
    ["overRefunded", isOverpaid(order)],
    ["refundUnassigned", unassignedRefunds(order).length > 0],
    ["refundProposed", order.proposals.some(({ status }) => status === "open")],
    ["disputeOpen", hasOpenDispute(order)],
    ["purgeFailed", application.failures > 0 || contact.failures > 0],
  ];
  return [...tasks.filter(([, waits]) => waits).map(([task]) => task), ...overdue(order, now)];
}

/** What an order may wait for: staff tasks, and what staff only watch. */
export const workQueues = [
  /** Paid, and the GRO does not have it. */
  "notSubmitted",
  "submissionFailed",
  "overdue",
  "longOverdue",
  "refundPending",
  "refundUnassigned",
  "refundProposed",
  "refundFailed",
  "overRefunded",
  "groQuestion",
  "purgeDue",
  /** Due for longer than customers are promised. */
  "purgeLate",
  "purgeFailed",
  "contradiction",
  "undelivered",
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

/** Possible duplicates are looked for among orders paid this recently. */
const recentlyPaidDays = 31;
export const recentlyPaidFrom = (now: Instant): Instant => addDays(now, -recentlyPaidDays);

/** What a list of orders may be sorted by. */
export const orderSorts = ["created", "paid", "updated", "total", "despatch"] as const;
export type OrderSort = (typeof orderSorts)[number];
