import type { OrderCommand, OrderCommandData } from "../../../domain/order/commands.ts";
import type { PurgeRecord } from "../../../domain/order/state.ts";
import { type PurgedKind, purgedKind } from "../../../domain/order/vocabulary.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import { fingerprintKeyId } from "../../vault/stream-fingerprint.ts";
import { destroyStarted, failureCodeOf } from "../purging/finish-started.ts";
import { namedByOrder } from "../subject.ts";
import type { DutyParts, Outcome, OwedTask } from "../task-dependencies.ts";

type Open = NonNullable<PurgeRecord["open"]>;
type Purged = Extract<OrderCommandData<"PurgeSensitiveData">, { outcome: "purged" }>;

/**
 * Purges everything an order holds of one class, in three steps: the log records exactly what is to be erased, the
 * vault erases it, and the log records the receipt or the failure. Anything in between finds the records gone; a crash
 * leaves the purge in progress and still due. A failure is recorded only when the task is due; earlier retries stay
 * quiet.
 */
export async function purge(
  { deps, now, log }: Pick<DutyParts, "deps" | "now" | "log">,
  owed: OwedTask<"purge">,
): Promise<Outcome> {
  const { order, duty, by, commandId } = owed;
  const { orderId } = order;
  const { dataClass, attempt } = duty;
  const open = order.purges[dataClass].open ?? (await start(deps, owed));
  if (!open) return "told"; // Another worker was faster.
  const { startedBy } = open;
  const type = dataClass === "application" ? "PurgeSensitiveData" : "PurgeContactData";
  const tell = (step: string, command: OrderCommand) =>
    deps.orders.execute({ orderId, commandId: `${commandId}-${step}-${startedBy}`, by, command });
  try {
    await tell("end", { type, data: await destroy(deps, owed, open) });
    return "told";
  } catch (error) {
    const code = failureCodeOf(error);
    if (Date.parse(duty.dueAt) > now().getTime()) return "later";
    log.error({ orderId, dataClass, code, attempt }, "ALARM: personal data could not be purged");
    await tell("failure", { type, data: { outcome: "failed", startedBy, code, attempt } });
    return "told";
  }
}

/** Records what is to be erased. Nothing has happened yet if the order refuses. */
async function start(
  { orders }: OrderDependencies,
  { order, duty, by, commandId }: OwedTask<"purge">,
): Promise<Open | undefined> {
  const { dataClass, rule } = duty;
  const type = dataClass === "application" ? "StartSensitiveDataPurge" : "StartContactDataPurge";
  // A replaced application is purged again under the same name; the previous purge distinguishes the two.
  const startId = `${commandId}-start-${rule}-after-${order.purges[dataClass].purgedAt ?? "none"}`;
  const told = await orders.execute({
    orderId: order.orderId,
    commandId: startId,
    by,
    command: { type, data: { rule } },
  });
  return told.order.purges[dataClass].open;
}

async function destroy(
  { orders, vault, deriveId }: OrderDependencies,
  { order: { orderId }, duty: { dataClass } }: OwedTask<"purge">,
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
