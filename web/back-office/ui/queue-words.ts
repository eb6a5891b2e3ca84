import type { WorkQueue } from "../../../domain/order/staff/work-queues.ts";
import type { Tone } from "./status.tsx";

/** How a queue is called over a list, how beside one order, and in which colour. */
export interface QueueWords {
  readonly title: string;
  readonly badge: string;
  readonly tone: Tone;
}

/** Every queue in words. */
export const queueWords: Readonly<Record<WorkQueue, QueueWords>> = {
  notSubmitted: { title: "Paid and not submitted", badge: "Not submitted", tone: "processing" },
  submissionFailed: { title: "Failed submissions", badge: "Submission failed", tone: "cancelled" },
  overdue: { title: "Past the promise", badge: "Overdue", tone: "pending" },
  longOverdue: { title: "60 days past the promise", badge: "Long overdue", tone: "cancelled" },
  refundPending: { title: "Refunds under way", badge: "Refund under way", tone: "processing" },
  refundProposed: { title: "Proposals to approve", badge: "To approve", tone: "pending" },
  refundFailed: { title: "Failed refunds", badge: "Refund failed", tone: "cancelled" },
  overRefunded: { title: "Refunded too much", badge: "Refunded too much", tone: "cancelled" },
  groQuestion: { title: "Questions of the GRO", badge: "GRO has a question", tone: "pending" },
  purgeDue: { title: "Purges due", badge: "Purge due", tone: "processing" },
  purgeLate: { title: "Purges late", badge: "Purge late", tone: "cancelled" },
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

/** What is on its way by itself, and needs nobody: to the GRO too, unless staff submit by hand. */
export const isCalm = (queue: string, submittedByHand: boolean): boolean =>
  calmQueues.includes(queue) || (queue === "notSubmitted" && !submittedByHand);
