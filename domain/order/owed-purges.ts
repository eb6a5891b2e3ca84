import { addDays, addSeconds, later } from "../instant.ts";
import type { Duty, DutySettings } from "./duty.ts";
import { hasOpenDispute } from "./money.ts";
import { awaitsRefund } from "./owed-refunds.ts";
import { hasEnded } from "./phases.ts";
import type { Order, PurgeRecord } from "./state.ts";
import { isAlive } from "./vault-records.ts";
import type { DataClass, PurgeRule } from "./vocabulary.ts";

interface Due {
  readonly rule: PurgeRule;
  readonly since: string;
}

/** From when on an application is no longer needed; undefined while it is. */
function applicationDue(order: Order, { purgeAfterSeconds }: DutySettings): Due | undefined {
  if (order.phase === "Cancelled" && order.end) {
    return { rule: order.payments.length === 0 ? "neverPaid" : "cancelled", since: order.end.at };
  }
  if (order.phase === "Failed" && order.end) {
    // One that failed after its submission was due by then already.
    const { submission } = order;
    return submission
      ? { rule: "submitted", since: addSeconds(submission.recordedAt, purgeAfterSeconds) }
      : { rule: "failed", since: order.end.at };
  }
  if (order.phase !== "Submitted" && order.phase !== "Dispatched" && order.phase !== "Fulfilled")
    return undefined;
  const since = order.submission?.recordedAt ?? order.dispatchedAt;
  return since === null ? undefined : { rule: "submitted", since: addSeconds(since, purgeAfterSeconds) };
}

/** From when on contact data is no longer needed; undefined while something lawful needs it. */
function contactDue(order: Order, { contactRetentionDays }: DutySettings): Due | undefined {
  if (!hasEnded(order.phase) || order.end === null) return undefined;
  if (awaitsRefund(order) || hasOpenDispute(order)) return undefined;
  const { at } = order.end;
  if (order.payments.length === 0) return { rule: "neverPaid", since: at };
  if (order.erasureRequestedAt !== null && order.mails.owed.length === 0) {
    return { rule: "erasure", since: later(order.erasureRequestedAt, at) };
  }
  return { rule: "retention", since: addDays(at, contactRetentionDays) };
}

/** Waits longer after each failure: 10 seconds at first, 5 minutes at most, so that the promise of 180 s is kept where it can be. */
export const retryAt = (
  since: string,
  { failures, failedAt }: Pick<PurgeRecord, "failures" | "failedAt">,
): string =>
  failedAt === null
    ? since
    : later(since, addSeconds(failedAt, Math.min(10 * 2 ** Math.min(failures - 1, 5), 300)));

function purgeOf(order: Order, dataClass: DataClass, due: Due | undefined): Duty[] {
  if (!due) return [];
  const record = order.purges[dataClass];
  const attempt = record.failures + 1;
  const name = `purge-${dataClass}-${order.submissions}-${attempt}`;
  return [{ kind: "purge", name, dueAt: retryAt(due.since, record), dataClass, rule: due.rule, attempt }];
}

/** Classes that fell due, and single records whose place was taken. */
export const owedPurges = (order: Order, settings: DutySettings): Duty[] => [
  ...(isAlive(order, "application") ? purgeOf(order, "application", applicationDue(order, settings)) : []),
  ...(isAlive(order, "contact") ? purgeOf(order, "contact", contactDue(order, settings)) : []),
  ...order.vault.superseded.map(
    ({ ref, dataClass, since }): Duty => ({
      kind: "destroyRecord",
      name: `destroy-${ref}`,
      dueAt: since,
      dataClass,
      ref,
    }),
  ),
];
