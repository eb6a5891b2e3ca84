import type { Presented } from "../../../../contract/request.ts";
import type {
  jobsShown,
  mailsShown,
  paymentsShown,
  proposalsShown,
  submissionsShown,
} from "../../../../contract/staff-orders/order-page.ts";
import { bankTransfers, refundablePence } from "../../../../domain/order/payment/money.ts";
import { refundNumber } from "../../../../domain/order/payment/provider-keys.ts";
import type { Order, Refund } from "../../../../domain/order/state.ts";
import type { MailTemplate } from "../../../../domain/order/vocabulary.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { bounceWords, undeliverableWords } from "../../../documents/mail-words.ts";
import type { OrderJob } from "../../../policies/work/work-reads.ts";
import type { PastEvent } from "../../orders.ts";
import { words, wordsOfProposal } from "./code-words.ts";
import type { NameOf } from "./timeline.ts";

export const presentPayments = (order: Order): Presented<typeof paymentsShown> =>
  order.payments.map(({ intentId, amountPence, unexpected, at }) => ({
    intentId,
    amountPence,
    unexpected,
    at,
    refundablePence: refundablePence(order, intentId),
    refunds: order.refunds
      .filter((refund) => refund.intentId === intentId)
      .map((refund) => ({
        number: numberOf(order, refund),
        way: refund.way,
        amountPence: refund.amountPence,
        reason: refundWords(refund),
        status: refund.status,
        at: refund.at,
      })),
    disputes: order.disputes
      .filter((dispute) => dispute.intentId === intentId)
      .map(({ disputeId, amountPence, reason, outcome, openedAt }) => ({
        disputeId,
        amountPence,
        reason: words.dispute[reason],
        outcome: outcome === null ? null : words.disputeOutcome[outcome],
        openedAt,
      })),
  }));

function numberOf(order: Order, refund: Refund): number | null {
  if (refund.way === "bankTransfer") return bankTransfers(order).indexOf(refund) + 1;
  return refund.refundId === null ? null : refundNumber(refund.refundId);
}

function refundWords({ reason, way }: Refund): string {
  if (way === "bankTransfer") return words.refund.staffDecision;
  return reason === null ? "made manually at the provider" : words.refund[reason];
}

export const presentProposals = (order: Order, nameOf: NameOf): Presented<typeof proposalsShown> =>
  order.proposals.map((one) => ({
    proposal: one.proposal,
    kind: one.kind,
    words: wordsOfProposal(order, one),
    proposedBy: { id: one.proposedBy, name: nameOf(one.proposedBy) },
    status: one.status,
    at: one.at,
  }));

type Mail = Presented<typeof mailsShown>[number];

const mailOf = (
  template: MailTemplate,
  result: Mail["result"],
  at: string,
  why: string | null = null,
): Mail => ({ template: words.mail[template], result, why, at });

/** An order's emails: sent, undeliverable, come back and still owed. */
export function presentMails(history: readonly PastEvent[], { mails }: Order): Mail[] {
  const past = history.flatMap(({ event, metadata: { at } }): Mail[] => {
    switch (event.type) {
      case "ConfirmationSent":
      case "MailSent":
        return [mailOf(event.data.template, "sent", at)];
      case "ConfirmationUndeliverable":
      case "MailUndeliverable":
        return [mailOf(event.data.template, "undeliverable", at, undeliverableWords[event.data.because])];
      case "MailBounced": {
        const { template, kind } = event.data;
        return [
          mailOf(template, kind === "complaint" ? "unwanted" : "returned", at, bounceWords(event.data)),
        ];
      }
      default:
        return [];
    }
  });
  return [
    ...past,
    ...mails.owed.map(({ template, since, notBefore }) => mailOf(template, "owed", notBefore ?? since)),
  ];
}

type Attempt = Presented<typeof submissionsShown>[number];

/** Every submission attempt with its latest outcome. */
export function presentSubmissions(history: readonly PastEvent[]): Attempt[] {
  const attempts = new Map<number, Attempt>();
  const settle = (attempt: number | null, outcome: string, at: string) => {
    const known = attempt === null ? undefined : attempts.get(attempt);
    if (known) attempts.set(known.attempt, { ...known, outcome, at });
  };
  for (const { event, metadata } of history) {
    const { at } = metadata;
    if (event.type === "SubmissionStarted") {
      const { attempt, channel } = event.data;
      attempts.set(attempt, {
        attempt,
        channel: words.channel[channel],
        startedAt: at,
        outcome: "open",
        at: null,
      });
    } else if (event.type === "SubmissionFailed") {
      const { attempt, code, certain } = event.data;
      settle(attempt, `${certain ? "failed" : "outcome unknown"}: ${words.submissionFailure[code]}`, at);
    } else if (event.type === "SubmittedToGRO") settle(event.data.attempt, "accepted", at);
  }
  return [...attempts.values()];
}

export const presentJobs = (jobs: readonly OrderJob[]): Presented<typeof jobsShown> =>
  jobs.map(({ task, lookAt, tries }) => ({
    name: task.name,
    words: jobWords(task),
    dueAt: task.dueAt,
    lookAt,
    tries,
  }));

function jobWords(task: OrderJob["task"]): string {
  switch (task.kind) {
    case "cancel":
      return `cancel: ${words.cancellation[task.reason]}`;
    case "requestSubmission":
      return "request submission";
    case "endDrafts":
      return "delete the saved copy of the order";
    case "mail":
      return `send an email: ${words.mail[task.template]}`;
    case "submit":
      return `submit to the GRO, attempt ${task.attempt}`;
    case "askSubmission":
      return `check the outcome of attempt ${task.attempt}`;
    case "purge":
      return `destroy ${words.dataClass[task.dataClass]}, attempt ${task.attempt}`;
    case "destroyRecord":
      return task.dataClass === "question"
        ? `destroy ${words.dataClass.question}`
        : `destroy replaced ${words.dataClass[task.dataClass]}`;
    case "fail":
      return `fail the order: ${words.failure[task.reason]}`;
    case "fulfil":
      return "fulfil the order";
    case "requestRefund":
      return `request a refund: ${words.refund[task.reason]}`;
    case "divideReturn":
      return `divide a refund of ${formatPounds(task.amountPence)} made at the provider, unless staff assign it`;
    case "refund":
      return `make refund ${refundNumber(task.refundId)} at the provider`;
    default:
      return task satisfies never;
  }
}
