import type { WorkQueue } from "../../../domain/order/staff/work-queues.ts";
import type { Tone } from "./status.tsx";

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
  refundProposed: { title: "Proposals to approve", badge: "To approve", tone: "pending" },
  refundFailed: { title: "Failed refunds", badge: "Refund failed", tone: "cancelled" },
  overRefunded: { title: "Refunded too much", badge: "Refunded too much", tone: "cancelled" },
  groQuestion: { title: "Questions from the GRO", badge: "GRO has a question", tone: "pending" },
  purgeDue: { title: "Purges due", badge: "Purge due", tone: "processing" },
  purgeLate: { title: "Overdue purges", badge: "Purge overdue", tone: "cancelled" },
  purgeFailed: { title: "Failed purges", badge: "Purge failed", tone: "cancelled" },
  contradiction: { title: "Contradictions", badge: "Contradiction", tone: "cancelled" },
  confirmationUndeliverable: {
    title: "Undelivered confirmations",
    badge: "Confirmation undelivered",
    tone: "pending",
  },
  disputeOpen: { title: "Open disputes", badge: "Dispute open", tone: "cancelled" },
};

const calmQueues: readonly string[] = ["refundPending", "purgeDue"] satisfies WorkQueue[];

/** Queues that clear automatically. Submission does too, unless staff submit by hand. */
export const isCalm = (queue: string, submittedByHand: boolean): boolean =>
  calmQueues.includes(queue) || (queue === "notSubmitted" && !submittedByHand);
