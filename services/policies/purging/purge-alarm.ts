import { addSeconds, before } from "../../../domain/instant.ts";
import { isAlive } from "../../../domain/order/personal-data/vault-records.ts";
import type { Order } from "../../../domain/order/state.ts";
import { StreamUnreadable } from "../../../infra/event-store/stream-unreadable.ts";
import { orderIfKnown } from "../../orders/orders.ts";
import type { TaskWatch } from "../task-dependencies.ts";
import type { VaultSweepParts } from "./sweep-vault.ts";

/**
 * Sensitive data still present this long after submission raises an alarm, a minute before the promise to customers is
 * broken.
 */
export const purgeAlarmSeconds = 120;

/** Minimum grace period where the purge itself is scheduled late. */
const leastGraceSeconds = 30;
const mostAlarms = 100;

type PurgeAlarmParts = Pick<VaultSweepParts, "table" | "orders" | "settings" | "now" | "log"> & {
  taskWatch?: Pick<TaskWatch, "late">;
};

/** Finds applications kept too long, and raises one alarm for each. */
export function createPurgeAlarm(parts: PurgeAlarmParts): () => Promise<void> {
  const { table, now, log } = parts;
  let sounded: ReadonlySet<string> = new Set();
  return async () => {
    const late = new Set<string>();
    for (const { subjectId: orderId, dueAt } of await table.openPurges(now(), mostAlarms)) {
      const since = await lateSinceOf(parts, orderId, dueAt);
      if (since === undefined) continue;
      late.add(orderId);
      if (!sounded.has(orderId))
        log.error({ orderId, since }, "ALARM: sensitive data should have been purged");
    }
    sounded = late;
    parts.taskWatch?.late(late.size);
  };
}

/** An unreadable order is late by its due time on the list, and does not block the others. */
async function lateSinceOf(
  parts: PurgeAlarmParts,
  orderId: string,
  dueAt: Date,
): Promise<string | undefined> {
  try {
    const order = await orderIfKnown(parts.orders, orderId);
    return order && lateSince(order, parts);
  } catch (error) {
    if (!(error instanceof StreamUnreadable)) throw error;
    const isLate = parts.now().getTime() - dueAt.getTime() >= purgeAlarmSeconds * 1000;
    return isLate ? dueAt.toISOString() : undefined;
  }
}

/** When the data was no longer needed, if that is too long ago. Failed attempts move the next due time, not this. */
function lateSince(
  order: Order,
  { settings, now }: Pick<PurgeAlarmParts, "settings" | "now">,
): string | undefined {
  // Already purged: after a restore the list lags a moment behind until the event corrects it.
  if (!isAlive(order, "application")) return undefined;
  const { submission, end } = order;
  const since = submission?.recordedAt ?? end?.at;
  if (since === undefined) return undefined;
  const graceSeconds = Math.max(purgeAlarmSeconds, settings.purgeAfterSeconds + leastGraceSeconds);
  return before(now().toISOString(), addSeconds(since, graceSeconds)) ? undefined : since;
}
