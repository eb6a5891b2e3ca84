import type { Presented } from "../../../../contract/request.ts";
import type { duplicatesShown, receiptShown } from "../../../../contract/shapes.ts";
import type {
  holding,
  orderedTogetherShown,
  orderPageAnswer,
  promiseOfPage,
} from "../../../../contract/staff-orders/order-page.ts";
import {
  capturedPence,
  isPaidFor,
  refundedPence,
  unassignedRefunds,
} from "../../../../domain/order/payment/money.ts";
import { isAlive, questionOf } from "../../../../domain/order/personal-data/vault-records.ts";
import { allowedActions } from "../../../../domain/order/staff/staff-actions.ts";
import { staffTasks } from "../../../../domain/order/staff/work-queues.ts";
import type { Order, PurgeRecord } from "../../../../domain/order/state.ts";
import { statusOf } from "../../../../domain/order/status.ts";
import type { DataClass } from "../../../../domain/order/vocabulary.ts";
import { londonDate } from "../../../../domain/promise/london-time.ts";
import { nextWorkingDay } from "../../../../domain/promise/timetable.ts";
import type { CheckoutOrder } from "../../../../projections/orders/checkout-orders.ts";
import type { DuplicateOrder } from "../../../../projections/orders/duplicates.ts";
import type { StaffMember } from "../../../gateway/guards/identify.ts";
import type { OrderJob } from "../../../policies/work/work-reads.ts";
import type { PastEvent } from "../../orders.ts";
import { taskWords, wordsOfRule } from "./code-words.ts";
import { factsOf } from "./order-facts.ts";
import {
  presentJobs,
  presentMails,
  presentPayments,
  presentProposals,
  presentSubmissions,
} from "./panels.ts";
import type { NameOf } from "./timeline.ts";

/** Reader and time, on which the allowed actions depend. */
type Looking = { readonly at: string; readonly by: StaffMember; readonly nameOf: NameOf };

/** What read models know of an order beyond its own history. */
type Beside = {
  readonly jobs: readonly OrderJob[];
  readonly duplicates: readonly DuplicateOrder[];
  /** The orders of its checkout. */
  readonly together: readonly CheckoutOrder[];
};

/** Everything except sealed personal data. Money in pence. */
export function presentOrderPage(
  history: readonly PastEvent[],
  { order, stored, metadata }: PastEvent,
  { jobs, duplicates, together }: Beside,
  { at, by, nameOf }: Looking,
): Presented<typeof orderPageAnswer> {
  return {
    orderId: order.orderId,
    orderNumber: order.orderNumber,
    reference: order.reference,
    revision: stored.revision,
    status: statusOf(order.phase),
    phase: order.phase,
    createdAt: order.createdAt,
    updatedAt: metadata.at,
    certificateType: order.variant?.certificateType ?? null,
    facts: factsOf(order).map(({ name, label, value }) => ({ name, label, value })),
    promise: presentPromise(order, at),
    tasks: staffTasks(order, at).map((task) => ({ task, words: taskWords[task] })),
    // The read model may be behind what has just been refunded.
    duplicates: isPaidFor(order) ? presentDuplicates(duplicates) : [],
    orderedTogether: presentTogether(order, together),
    unassignedRefunds: unassignedRefunds(order).map(({ providerRefundId, amountPence, at: since }) => ({
      providerRefundId,
      amountPence,
      at: since,
    })),
    actions: allowedActions(order, at, by).map(({ action, refusedBy }) => ({
      action,
      allowed: refusedBy === null,
      rule: refusedBy,
      why: refusedBy === null ? null : wordsOfRule(refusedBy),
    })),
    money: { paidPence: capturedPence(order), refundedPence: refundedPence(order) },
    payments: presentPayments(order),
    proposals: presentProposals(order, nameOf),
    submissions: presentSubmissions(history),
    mails: presentMails(history, order),
    jobs: presentJobs(jobs),
    personal: {
      application: presentHolding(order, "application"),
      contact: presentHolding(order, "contact"),
      notes: order.vault.notes.length,
      question: questionOf(order.vault) !== null,
    },
  };
}

export const presentDuplicates = (duplicates: readonly DuplicateOrder[]): Presented<typeof duplicatesShown> =>
  duplicates.map(({ orderId, orderNumber, paidAt }) => ({ id: orderId, orderNumber, paidAt }));

function presentTogether(
  { checkoutId }: Order,
  orders: readonly CheckoutOrder[],
): Presented<typeof orderedTogetherShown> | null {
  if (checkoutId === undefined || orders.length < 2) return null;
  return {
    checkoutId,
    paidPence: sum(orders.map(({ capturedPence }) => capturedPence)),
    wentBackPence: sum(orders.map(({ wentBackPence }) => wentBackPence)),
    orders: orders.map((one) => ({
      id: one.orderId,
      orderNumber: one.orderNumber,
      status: one.status,
      phase: one.phase,
      certificateType: one.certificateType,
      serviceLevel: one.serviceLevel,
      copies: one.copies,
      paidPence: one.capturedPence,
      wentBackPence: one.wentBackPence,
    })),
  };
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Working days until the promised despatch; negative if overdue, null once irrelevant. */
function presentPromise(
  { promise, dispatchedAt, end }: Order,
  at: string,
): Presented<typeof promiseOfPage> | null {
  if (promise === null) return null;
  const { receivedOn, despatchBy } = promise;
  const open = dispatchedAt === null && end === null;
  const today = londonDate(at);
  return {
    receivedOn,
    despatchBy,
    overdue: open && today > despatchBy,
    workingDaysLeft: open && today <= despatchBy ? workingDaysBetween(today, despatchBy) : null,
  };
}

function workingDaysBetween(from: string, until: string): number {
  let days = 0;
  for (let day = from; day < until; day = nextWorkingDay(day)) days++;
  return days;
}

/** State of a class of personal data: sealed, destroyed with a receipt, or none. */
function presentHolding(order: Order, dataClass: DataClass): Presented<typeof holding> {
  const { purgedAt, receipt } = order.purges[dataClass];
  const destroyed = purgedAt !== null && receipt !== null ? presentReceipt(receipt, purgedAt) : null;
  return {
    state: isAlive(order, dataClass) ? "sealed" : destroyed ? "destroyed" : "none",
    receipt: destroyed,
  };
}

/** The receipt of a destruction. */
export const presentReceipt = (
  receipt: NonNullable<PurgeRecord["receipt"]>,
  purgedAt: string,
): Presented<typeof receiptShown> => ({
  destroyed: receipt.destroyed,
  records: receipt.records,
  at: purgedAt,
  secondsAfterSubmission: receipt.secondsSinceSubmission,
  rule: receipt.rule,
  probe: receipt.probe,
  keyFingerprint: receipt.keyFingerprint,
});
