import type { ActorKind, CommandMetadata } from "../../domain/decider.ts";
import { addSeconds, before, type Instant } from "../../domain/instant.ts";
import type { OrderCommand } from "../../domain/order/commands.ts";
import { decide } from "../../domain/order/decide.ts";
import type { OrderEvent } from "../../domain/order/events.ts";
import { evolve } from "../../domain/order/evolve.ts";
import { submissionKeyOf } from "../../domain/order/payment/provider-keys.ts";
import type { Phase } from "../../domain/order/phases.ts";
import {
  lastingQueues,
  purgeLateBefore,
  purgeWaitsSince,
  type StaffTask,
  staffTasks,
  type WorkQueue,
  workQueues,
} from "../../domain/order/staff/work-queues.ts";
import { absent, exists, type Order, type OrderState } from "../../domain/order/state.ts";
import { type HistoryEntry, publicEntry, statusOf } from "../../domain/order/status.ts";
import { promiseOf } from "../../domain/promise/timetable.ts";

/** Test orders, each given by its events. */

export const orderId = "0a8f1c52-6d1c-5b4e-9a55-2f6f3f1f0001";
/** Monday, half past nine in London. */
export const start = "2026-11-23T09:30:00.000Z";

/** The nth uuid, for vault records, mails and events. */
export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

export const contactRef = uuid(101);
export const signatureRef = uuid(102);
export const applicationRef = uuid(103);

/** Metadata of a command this many seconds after the start. */
export const given = (secondsLater = 0, kind: ActorKind = "system"): CommandMetadata => ({
  commandId: uuid(900_000 + secondsLater),
  at: addSeconds(start, secondsLater),
  actor: { kind, id: "tester" },
  correlationId: "test",
});

/** An event and when it was recorded, in seconds after the start. */
export type TimedEvent = readonly [OrderEvent, number];

/** The state after a history. The nth event has the id `uuid(n)`, counted from 0. */
export const stateAfter = (history: readonly TimedEvent[]): OrderState =>
  history.reduce<OrderState>(
    (state, [event, seconds], revision) =>
      evolve(state, event, { eventId: uuid(revision), at: addSeconds(start, seconds), revision }),
    absent,
  );

/** What customers read about a history, newest first; `timestamp` is in seconds after the start. */
export const publicHistory = (history: readonly TimedEvent[]): HistoryEntry[] =>
  history
    .flatMap(([event, seconds], nth) => {
      const before = stateAfter(history.slice(0, nth));
      return publicEntry(event, String(seconds), exists(before) ? statusOf(before.phase) : "Pending") ?? [];
    })
    .reverse();

/** The order after a history that creates it. */
export function orderAfter(history: readonly TimedEvent[]): Order {
  const state = stateAfter(history);
  if (!exists(state)) throw new Error("This history creates no order.");
  return state;
}

/** The events of a command after a history. */
export const when = (
  history: readonly TimedEvent[],
  command: OrderCommand,
  metadata = given(1000),
): OrderEvent[] => decide(stateAfter(history), command, metadata);

export const created = {
  type: "OrderCreated",
  data: {
    orderId,
    orderNumber: "0000-0000-00000",
    reference: "REF-2026-7",
    quotedTotalPence: 9000,
    terms: { version: 1, acceptedAt: start },
    consent: { version: 1, acceptedAt: start },
    contactRef,
    signatureRef,
    certificateId: uuid(301),
  },
} as const satisfies OrderEvent;

export const variantAdded = {
  type: "VariantAdded",
  data: {
    certificateType: "Birth",
    copies: 2,
    shortCopies: 0,
    serviceLevel: "standard",
    deliveryMethod: "Post",
    apostille: false,
    groReferenceKnown: false,
    unitPricePence: 4500,
    totalPence: 9000,
    priceListVersion: 1,
    feePerCopy: { groFeePence: 1250, groSearchFeePence: 350, ourFeePence: 2900 },
    applicationRef,
  },
} as const satisfies OrderEvent;

const paymentRequested: OrderEvent = {
  type: "PaymentRequested",
  data: { intentId: "pi_1", amountPence: 9000, attempt: 1, closedIntentId: null, checkoutId: null },
};
export const paymentConfirmed: OrderEvent = {
  type: "PaymentConfirmed",
  data: { intentId: "pi_1", amountPence: 9000 },
};
const submissionRequested: OrderEvent = {
  type: "SubmissionRequested",
  data: { promise: promiseOf("standard", start) },
};
/** For the event with the id `uuid(4)`: the submission request in the histories below. */
const confirmationSent: OrderEvent = {
  type: "ConfirmationSent",
  data: { template: "confirmation", templateVersion: 1, about: uuid(4) },
};
export const started = (attempt = 1, channel: "automation" | "manual" = "automation"): OrderEvent => ({
  type: "SubmissionStarted",
  data: { attempt, channel, key: submissionKeyOf(orderId, attempt) },
});
export const failedAttempt = (attempt: number, certain: boolean): OrderEvent => ({
  type: "SubmissionFailed",
  data: { attempt, code: certain ? "rejected" : "timeout", certain },
});
export const submitted = (attempt = 1, seconds = 60): OrderEvent => ({
  type: "SubmittedToGRO",
  data: { attempt, groReferenceRef: uuid(104), submittedAt: addSeconds(start, seconds) },
});
/** As recorded before purges were started by events. */
export const purged = {
  type: "SensitiveDataPurged",
  data: {
    startedBy: null,
    destroyed: ["application", "signature"],
    rule: "submitted",
    keyFingerprint: "ab".repeat(32),
    probe: "unreadable",
    records: 2,
    secondsSinceSubmission: 5,
  },
} satisfies OrderEvent;
export const dispatched: OrderEvent = {
  type: "CertificateDispatched",
  data: { attempt: 1, dispatchedAt: addSeconds(start, 100_000) },
};
export const cancelled: OrderEvent = {
  type: "OrderCancelled",
  data: { reason: "customerRequest", by: "customer" },
};
export const failed: OrderEvent = {
  type: "OrderFailed",
  data: { cause: "ours", reason: "submissionFailed" },
};

const opened: TimedEvent[] = [[created, 0]];
const priced: TimedEvent[] = [...opened, [variantAdded, 10]];
const awaiting: TimedEvent[] = [...priced, [paymentRequested, 20]];
const paid: TimedEvent[] = [...awaiting, [paymentConfirmed, 30]];
export const requested: TimedEvent[] = [...paid, [submissionRequested, 40]];
const confirmed: TimedEvent[] = [...requested, [confirmationSent, 50]];
const submitting: TimedEvent[] = [...confirmed, [started(), 55]];
const submittedHistory: TimedEvent[] = [...submitting, [submitted(), 60]];
const dispatchedHistory: TimedEvent[] = [...submittedHistory, [purged, 65], [dispatched, 100_000]];

/** A history ending in each phase. */
export const historyTo: Readonly<Record<Phase, readonly TimedEvent[]>> = {
  Opened: opened,
  Priced: priced,
  AwaitingPayment: awaiting,
  Paid: paid,
  Confirmed: confirmed,
  Submitting: submitting,
  Submitted: submittedHistory,
  Dispatched: dispatchedHistory,
  Fulfilled: [...dispatchedHistory, [{ type: "OrderFulfilled", data: {} }, 100_001]],
  Cancelled: [...paid, [cancelled, 70]],
  Failed: [...confirmed, [failed, 700_000]],
};

/** The nth full refund, which fails to reach the card. */
const failedRefund = (n: number): TimedEvent[] => {
  const refund = { refundId: `order-${orderId}-refund-${n}`, intentId: "pi_1", amountPence: 9000 };
  const failure = { providerRefundId: `re_${n}`, code: "expiredOrCancelledCard" } as const;
  return [
    [{ type: "RefundRequested", data: { ...refund, reason: "cancelled", proposal: null } }, 80 + n],
    [{ type: "RefundFailed", data: { ...refund, ...failure } }, 90 + n],
  ];
};

/** A cancelled order whose refund failed as often as it is retried. */
export const refundStuck: readonly TimedEvent[] = [
  ...paid,
  [cancelled, 70],
  ...failedRefund(1),
  ...failedRefund(2),
  ...failedRefund(3),
];

/** A fulfilled order with a disputed payment. */
export const disputed: readonly TimedEvent[] = [
  ...dispatchedHistory,
  [{ type: "OrderFulfilled", data: {} }, 100_001],
  [
    {
      type: "DisputeOpened",
      data: { disputeId: "du_1", intentId: "pi_1", amountPence: 9000, reason: "fraudulent" },
    },
    200_000,
  ],
];

/** The same, closed by staff. */
export const closedByStaff: readonly TimedEvent[] = [
  ...disputed,
  [
    { type: "DisputeClosed", data: { disputeId: "du_1", outcome: "won", toldBy: "staff", proposal: null } },
    300_000,
  ],
];

/** Staff report the dispute as lost; a second person has yet to approve. */
export const outcomeProposed: readonly TimedEvent[] = [
  ...disputed,
  [
    {
      type: "DisputeOutcomeProposed",
      data: { proposal: 1, disputeId: "du_1", outcome: "lost", proposedBy: "ann" },
    },
    300_000,
  ],
];

/** The GRO has a question, with its text, and the application is purged: the customer may enter it again. */
export const queried: readonly TimedEvent[] = [
  ...submittedHistory,
  [{ type: "GROOutcomeRecorded", data: { attempt: 1, outcome: "queried", questionRef: uuid(210) } }, 300],
  [purged, 301],
];

/** A cancellation awaiting the outcome of an open attempt. */
export const cancellationAsked: readonly TimedEvent[] = [
  ...submitting,
  [{ type: "CancellationRequested", data: { reason: "customerRequest", by: "customer" } }, 57],
];

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
