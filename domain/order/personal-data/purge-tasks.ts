import { addDays, addSeconds, earlier, later } from "../../instant.ts";
import { startOfDay } from "../../promise/london-time.ts";
import { afterDespatch } from "../../promise/timetable.ts";
import { hasOpenDispute } from "../payment/money.ts";
import { awaitsRefund } from "../payment/refund-tasks.ts";
import { hasEnded } from "../phases.ts";
import type { Order, PurgeRecord, VaultRecords } from "../state.ts";
import type { Task, TaskSettings } from "../tasks/task.ts";
import type { DataClass, PurgeRule } from "../vocabulary.ts";
import { isAlive } from "./vault-records.ts";

/** The rule under which a class of data falls due, and the moment it counts from; settings may add a time. */
interface Lapse {
  readonly rule: PurgeRule;
  readonly since: string;
}

/** How a class of data currently lapses; undefined while something needs it. */
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

/** When a class is due for purging, and by which rule; undefined while there is a lawful need for it. */
function dueOf(order: Order, dataClass: DataClass, settings: TaskSettings): Lapse | undefined {
  const lapse = lapseOf(order, dataClass);
  const { open } = order.purges[dataClass];
  // A purge that was begun is finished, even if its rule no longer holds.
  if (open) return { rule: open.rule, since: lapse ? earlier(delayed(lapse, settings), open.at) : open.at };
  return lapse && { ...lapse, since: delayed(lapse, settings) };
}

function delayed({ rule, since }: Lapse, { purgeAfterSeconds, contactRetentionDays }: TaskSettings): string {
  if (rule === "submitted") return addSeconds(since, purgeAfterSeconds);
  return rule === "retention" ? addDays(since, contactRetentionDays) : since;
}

/**
 * Waits longer after each failure: 10 seconds at first, 5 minutes at most, so that the promise of 180 s is kept where
 * it can be.
 */
export const retryAt = (
  since: string,
  { failures, failedAt }: Pick<PurgeRecord, "failures" | "failedAt">,
): string =>
  failedAt === null
    ? since
    : later(since, addSeconds(failedAt, Math.min(10 * 2 ** Math.min(failures - 1, 5), 300)));

function purgeOf(order: Order, dataClass: DataClass, settings: TaskSettings): Task[] {
  if (!isAlive(order, dataClass)) return [];
  const due = dueOf(order, dataClass, settings);
  if (!due) return [];
  const record = order.purges[dataClass];
  const attempt = record.failures + 1;
  const name = `purge-${dataClass}-${order.submissions}-${attempt}`;
  return [{ kind: "purge", name, dueAt: retryAt(due.since, record), dataClass, rule: due.rule, attempt }];
}

/** A replaced record is kept for the mail to its address until that is sent, and no longer than this. */
const secondsKeptForMail = 86_400;

function replacedDueAt({ mails }: Order, { ref, since }: VaultRecords["superseded"][number]): string {
  const isNeeded = mails.owed.some(({ contactRef }) => contactRef === ref);
  return isNeeded ? addSeconds(since, secondsKeptForMail) : since;
}

/** Classes that fell due, single records whose place was taken, and texts of closed questions. */
export const owedPurges = (order: Order, settings: TaskSettings): Task[] => [
  ...purgeOf(order, "application", settings),
  ...purgeOf(order, "contact", settings),
  ...order.vault.superseded
    .filter(({ destroyed }) => !destroyed)
    .map((record): Task => {
      const { ref, dataClass } = record;
      const dueAt = replacedDueAt(order, record);
      return { kind: "destroyRecord", name: `destroy-${ref}`, dueAt, dataClass, ref };
    }),
  ...order.vault.questions.flatMap(({ ref, closedAt }): Task[] =>
    closedAt === null
      ? []
      : [{ kind: "destroyRecord", name: `destroy-${ref}`, dueAt: closedAt, dataClass: "question", ref }],
  ),
];
