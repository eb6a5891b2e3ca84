import { earlier, later } from "../../instant.ts";
import { startOfDay } from "../../promise/london-time.ts";
import { afterDespatch } from "../../promise/timetable.ts";
import { hasOpenDispute } from "../payment/money.ts";
import { awaitsRefund } from "../payment/refund-tasks.ts";
import { hasEnded } from "../phases.ts";
import type { Order } from "../state.ts";
import type { DataClass, PurgeRule } from "../vocabulary.ts";

/** The rule under which a class of data falls due, and the moment it counts from; settings may add a time. */
export interface Lapse {
  readonly rule: PurgeRule;
  readonly since: string;
}

/** How a class of data lapses as the order stands; undefined while something needs it. */
export const lapseOf = (order: Order, dataClass: DataClass): Lapse | undefined =>
  dataClass === "application" ? applicationLapse(order) : contactLapse(order);

function applicationLapse(order: Order): Lapse | undefined {
  const { phase, end, submission, dispatchedAt } = order;
  if (phase === "Cancelled" && end) {
    return { rule: order.payments.length === 0 ? "neverPaid" : "cancelled", since: end.at };
  }
  if (phase === "Failed" && end) {
    // If it failed after its submission, the data was due already.
    return submission
      ? { rule: "submitted", since: submission.recordedAt }
      : { rule: "failed", since: end.at };
  }
  if (phase !== "Submitted" && phase !== "Dispatched" && phase !== "Fulfilled") return undefined;
  const since = submission?.recordedAt ?? dispatchedAt;
  return since === null ? undefined : { rule: "submitted", since };
}

function contactLapse(order: Order): Lapse | undefined {
  if (!hasEnded(order.phase) || order.end === null) return undefined;
  if (awaitsRefund(order) || hasOpenDispute(order)) return undefined;
  const { at } = order.end;
  if (order.payments.length === 0) return { rule: "neverPaid", since: at };
  if (order.erasureRequestedAt !== null && order.mails.owed.length === 0) {
    return { rule: "erasure", since: later(order.erasureRequestedAt, at) };
  }
  return { rule: "retention", since: closedAt(order, at) };
}

/**
 * From when the retention of contact data counts. A fulfilled order is closed by its customer's report of the arrival,
 * or 20 working days after the despatch if that is sooner; any other by its end.
 */
function closedAt({ phase, dispatchedAt, leftGroAt, arrivedAt }: Order, endedAt: string): string {
  const despatchedAt = leftGroAt ?? dispatchedAt;
  if (phase !== "Fulfilled" || despatchedAt === null) return endedAt;
  const closesAt = startOfDay(afterDespatch(despatchedAt).closesOn);
  return arrivedAt === undefined ? closesAt : earlier(arrivedAt, closesAt);
}

/** Customers are promised that sensitive data is purged within this time of its submission. */
export const purgePromiseSeconds = 180;
