import type { OrderCommandData } from "../../../domain/order/commands.ts";
import type { PurgeRecord } from "../../../domain/order/state.ts";
import { type PurgedKind, purgedKind } from "../../../domain/order/vocabulary.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import { fingerprintKeyId } from "../../vault/stream-fingerprint.ts";
import { destroyStarted, finishPurge } from "../purging/finish-started.ts";
import { namedByOrder } from "../subject.ts";
import type { Outcome, OwedTask, TaskDependencies } from "../task-dependencies.ts";

type Open = NonNullable<PurgeRecord["open"]>;
type Purged = Extract<OrderCommandData<"PurgeSensitiveData">, { outcome: "purged" }>;

/**
 * Purges everything an order holds of one class, in three steps: the log records exactly what is to be erased, the
 * vault erases it, and the log records the receipt or the failure. Anything in between finds the records gone; a crash
 * leaves the purge in progress and still due.
 */
export async function purge(
  { deps, now, log }: Pick<TaskDependencies, "deps" | "now" | "log">,
  owed: OwedTask<"purge">,
): Promise<Outcome> {
  const { order, task, by, commandId } = owed;
  const { orderId } = order;
  const { dataClass } = task;
  const open = order.purges[dataClass].open ?? (await start(deps, owed));
  if (!open) return "done"; // Another worker was faster.
  const type = dataClass === "application" ? "PurgeSensitiveData" : "PurgeContactData";
  return finishPurge(
    { now, log },
    {
      ...{ task, commandId, startedBy: open.startedBy, about: { orderId, dataClass } },
      destroy: () => destroy(deps, owed, open),
      record: (commandId, data) => deps.orders.execute({ orderId, commandId, by, command: { type, data } }),
    },
  );
}

/** Records what is to be erased. Nothing has happened yet if the order refuses. */
async function start(
  { orders }: OrderDependencies,
  { order, task, by, commandId }: OwedTask<"purge">,
): Promise<Open | undefined> {
  const { dataClass, rule } = task;
  const type = dataClass === "application" ? "StartSensitiveDataPurge" : "StartContactDataPurge";
  // A replaced application is purged again under the same name; the previous purge distinguishes the two.
  const startId = `${commandId}-start-${rule}-after-${order.purges[dataClass].purgedAt ?? "none"}`;
  const result = await orders.execute({
    orderId: order.orderId,
    commandId: startId,
    by,
    command: { type, data: { rule } },
  });
  return result.order.purges[dataClass].open;
}

async function destroy(
  { orders, vault, deriveId }: OrderDependencies,
  { order: { orderId }, task: { dataClass } }: OwedTask<"purge">,
  { startedBy, records }: Open,
): Promise<Purged> {
  const keyRef = dataClass === "contact" ? fingerprintKeyId(deriveId, orderId) : undefined;
  const { kinds, keyFingerprint, probe } = await destroyStarted(
    vault,
    { subjectId: orderId, dataClass, records, keyRef },
    async () => {
      const { order } = await orders.load(orderId);
      const isOpen = order.purges[dataClass].open?.startedBy === startedBy;
      return isOpen ? namedByOrder(order) : undefined;
    },
  );
  return {
    outcome: "purged",
    startedBy,
    // Includes records by name: a vault restored to before one was sealed does not know it.
    destroyed: [...new Set([...records.map(({ kind }) => kind), ...kinds.flatMap(ofOrders)])].sort(),
    keyFingerprint,
    probe,
    // Most browsers never repeat a request, so most orders have no key for comparing repeats.
    records: records.length + (kinds.includes("fingerprintKey") ? 1 : 0),
  };
}

const ofOrders = (kind: string): PurgedKind[] => {
  const known = purgedKind.safeParse(kind);
  return known.success ? [known.data] : [];
};
