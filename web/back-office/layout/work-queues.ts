import useSWR from "swr";
import { type Dashboard, showDashboard } from "../../../contract/back-office/overview.ts";
import type { WorkQueue } from "../../../domain/order/staff/work-queues.ts";
import { send } from "../../api/send.ts";
import type { Tone } from "../ui/values.tsx";

/** A queue's title above a list, badge beside an order, and colour. */
interface QueueWords {
  readonly title: string;
  readonly badge: string;
  readonly tone: Tone;
}

export const queueWords: Readonly<Record<WorkQueue, QueueWords>> = {
  notSubmitted: { title: "Paid but not submitted", badge: "Not submitted", tone: "processing" },
  submissionFailed: { title: "Failed submissions", badge: "Submission failed", tone: "cancelled" },
  overdue: { title: "Past the promised date", badge: "Overdue", tone: "pending" },
  longOverdue: { title: "60 days past the promised date", badge: "Long overdue", tone: "cancelled" },
  refundPending: { title: "Refunds in progress", badge: "Refund in progress", tone: "processing" },
  refundUnassigned: { title: "Refunds to assign", badge: "Refund to assign", tone: "pending" },
  refundProposed: { title: "Proposals to approve", badge: "To approve", tone: "pending" },
  refundFailed: { title: "Failed refunds", badge: "Refund failed", tone: "cancelled" },
  overRefunded: { title: "Refunded too much", badge: "Refunded too much", tone: "cancelled" },
  groQuestion: { title: "Questions from the GRO", badge: "GRO has a question", tone: "pending" },
  purgeDue: { title: "Purges due", badge: "Purge due", tone: "processing" },
  purgeLate: { title: "Overdue purges", badge: "Purge overdue", tone: "cancelled" },
  purgeFailed: { title: "Failed purges", badge: "Purge failed", tone: "cancelled" },
  contradiction: { title: "Contradictions", badge: "Contradiction", tone: "cancelled" },
  undelivered: { title: "Undelivered", badge: "Undelivered", tone: "pending" },
  disputeOpen: { title: "Open disputes", badge: "Dispute open", tone: "cancelled" },
};

const automaticQueues: readonly string[] = ["refundPending", "purgeDue"] satisfies WorkQueue[];

/** Queues that clear automatically. Submission does too, unless staff submit by hand. */
export const clearsAutomatically = (queue: string, submittedByHand: boolean): boolean =>
  automaticQueues.includes(queue) || (queue === "notSubmitted" && !submittedByHand);

interface Count {
  readonly count: number;
  /** True when the count is capped. */
  readonly more: boolean;
  /** Unit of the count, for screen readers. */
  readonly words: string;
}

/** Counts of pending work. */
export interface Waiting {
  readonly orders: Count;
  readonly tickets: Count;
}

/** Long overdue orders are counted among the overdue ones. */
const countedElsewhere: readonly string[] = ["longOverdue"];

/** Sums the dashboard's queues: an order in two queues counts as two tasks. */
export function waitingIn(
  { queues, tickets }: Pick<Dashboard, "queues" | "tickets">,
  submittedByHand = false,
): Waiting {
  const urgent = queues.filter(
    ({ queue }) => !clearsAutomatically(queue, submittedByHand) && !countedElsewhere.includes(queue),
  );
  const count = urgent.reduce((sum, queue) => sum + queue.count, 0);
  return {
    orders: {
      count,
      more: urgent.some(({ more }) => more),
      words: count === 1 ? "pending task" : "pending tasks",
    },
    tickets: { count: tickets.open, more: false, words: "to answer" },
  };
}

/** The dashboard with the figures of the last `days`; null requests nothing. */
export const useDashboard = (days: number | null) =>
  useSWR(
    days === null ? null : [showDashboard.path, days],
    () => send(showDashboard, { query: `days=${days}` }),
    { revalidateIfStale: true, keepPreviousData: true },
  );
