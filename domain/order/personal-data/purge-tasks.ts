import { addDays, addSeconds, earlier, later } from "../../instant.ts";
import type { Order, PurgeRecord } from "../state.ts";
import type { Task, TaskSettings } from "../tasks/task.ts";
import type { DataClass } from "../vocabulary.ts";
import { type Lapse, lapseOf } from "./lapse.ts";
import { isAlive } from "./vault-records.ts";

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

/** Classes that fell due, and single records whose place was taken. */
export const owedPurges = (order: Order, settings: TaskSettings): Task[] => [
  ...purgeOf(order, "application", settings),
  ...purgeOf(order, "contact", settings),
  ...order.vault.superseded
    .filter(({ destroyed }) => !destroyed)
    .map(
      ({ ref, dataClass, since }): Task => ({
        kind: "destroyRecord",
        name: `destroy-${ref}`,
        dueAt: since,
        dataClass,
        ref,
      }),
    ),
];
