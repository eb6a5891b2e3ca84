import { addDays, addSeconds, before, earlier } from "../../domain/instant.ts";
import { type Held, heldOf } from "../../domain/order/personal-data/held-data.ts";
import type { Order } from "../../domain/order/state.ts";
import type { TaskSettings } from "../../domain/order/tasks/task.ts";
import type { DataClass } from "../../domain/order/vocabulary.ts";
import { heldTexts } from "../../domain/ticket/held-texts.ts";
import { contactPurgedAt } from "../../domain/ticket/owed.ts";
import type { RecordSummary } from "../vault/vault.ts";
import type { Subject } from "./subject.ts";

/** When to check a record again, and the retention in days that this was calculated with. */
export type Look = { readonly dueAt: string; readonly keptDays: number | null };

/** The task purges what is due; the sweep checks this much later that it happened. */
const patienceSeconds = 3_600;
/**
 * Days until the next check when the due date is unknown: an application is kept for days, an order's contact for
 * weeks.
 */
const undatedDays: Readonly<Record<DataClass, number>> = { application: 1, contact: 7 };

/**
 * When the sweep checks a record named by an event again: after its retention rule makes it due, not before. The task
 * list does the work; this catches tasks the list lost.
 */
export function nextLook(
  subject: Subject,
  { recordId, dataClass }: Pick<RecordSummary, "recordId" | "dataClass">,
  now: string,
  settings: TaskSettings,
): Look {
  if (subject.kind === "order") {
    const { order } = subject;
    const isReplaced = order.vault.superseded.some(({ ref }) => ref === recordId);
    return isReplaced ? undated("application", now) : afterClass(order, dataClass, now, settings);
  }
  if (subject.kind === "draft") {
    const { end, expiresAt, linkRef } = subject.draft;
    // Address and key go as soon as the mail has left.
    if (recordId === linkRef) return undated("application", now);
    const held = { state: "due", until: end?.at ?? expiresAt, rule: end?.rule ?? "expired" } as const;
    return afterHeld(held, dataClass, now, settings);
  }
  const { ticket, order } = subject;
  const own = afterHeld(heldTexts(ticket, order, settings), "contact", now, settings);
  if (!order || contactPurgedAt(order) !== undefined) return own;
  // The ticket's texts go with its order's contact data if that is sooner.
  const ofOrder = afterClass(order, "contact", now, settings);
  return earlier(own.dueAt, ofOrder.dueAt) === own.dueAt ? own : ofOrder;
}

const afterClass = (order: Order, dataClass: DataClass, now: string, settings: TaskSettings): Look =>
  afterHeld(heldOf(order, dataClass, settings), dataClass, now, settings);

const undated = (dataClass: DataClass, now: string): Look => ({
  dueAt: addDays(now, undatedDays[dataClass]),
  keptDays: null,
});

function afterHeld(held: Held<string>, dataClass: DataClass, now: string, settings: TaskSettings): Look {
  if (held.state === "needed") return undated(dataClass, now);
  if (held.state !== "due") return undated("application", now);
  const dueAt = addSeconds(held.until, patienceSeconds);
  // Overdue: its purge is failing, and is retried far more often than this.
  if (!before(now, dueAt)) return undated("application", now);
  return { dueAt, keptDays: held.rule === "retention" ? settings.contactRetentionDays : null };
}
