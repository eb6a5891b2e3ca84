import { addSeconds, secondsPerDay } from "../../domain/instant.ts";
import { owed } from "../../domain/order/owed.ts";
import type { Order } from "../../domain/order/state.ts";
import { nameOfFault } from "../../infra/following/follower-faults.ts";
import type { Orders } from "../commands/orders.ts";
import type { RecordSummary, Vault } from "../vault/vault.ts";
import type { DutyParts } from "./errand.ts";
import { placeOf } from "./error-place.ts";
import { orderIfKnown } from "./known-order.ts";

const batchSize = 200;
/** Of one round; what is left waits for the next. */
const mostBatches = 25;
/** A record that could not be looked at must not stand in the way of the others. */
const retrySeconds = 300;

export type VaultSweepParts = Pick<DutyParts, "list" | "settings" | "now" | "log"> & {
  orders: Orders;
  vault: Vault;
};

/**
 * Looks at every sealed record that is due and asks the log about it: what no event names is destroyed here and now; for the
 * rest the order's own duties decide. They are put on the list should they be missing there, and a day later it is looked at again.
 */
export async function sweepVault(parts: VaultSweepParts, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < mostBatches; batch++) {
    const due = await parts.vault.due(parts.now(), batchSize);
    for (const [orderId, records] of Map.groupBy(due, ({ subject }) => subject)) {
      if (signal.aborted) return;
      await lookOrPutOff(parts, orderId, records);
    }
    if (due.length < batchSize) return;
  }
}

async function lookOrPutOff(
  parts: VaultSweepParts,
  orderId: string,
  records: readonly RecordSummary[],
): Promise<void> {
  try {
    await look(parts, orderId, records);
  } catch (error) {
    parts.log.error(
      { orderId, code: nameOfFault(error), place: placeOf(error) },
      "sealed records that are due could not be looked at",
    );
    await postpone(parts, orderId, records, retrySeconds);
  }
}

async function look(
  parts: VaultSweepParts,
  orderId: string,
  records: readonly RecordSummary[],
): Promise<void> {
  const { list, vault, settings, now, log } = parts;
  const order = await orderIfKnown(parts.orders, orderId);
  const orphans = records.filter((record) => !order || !isNamed(order, record));
  if (orphans.length > 0) {
    await vault.destroy(orphans.map(({ recordId }) => recordId));
    log.info({ orderId, records: orphans.length }, "records that no event names were destroyed");
  }
  if (!order || orphans.length === records.length) return;
  await list.addMissing(orderId, owed(order, now().toISOString(), settings), now());
  await postpone(parts, orderId, records, secondsPerDay);
}

async function postpone(
  { vault, now }: VaultSweepParts,
  orderId: string,
  records: readonly RecordSummary[],
  seconds: number,
): Promise<void> {
  const dueAt = addSeconds(now().toISOString(), seconds);
  for (const dataClass of new Set(records.map((record) => record.dataClass))) {
    await vault.postpone(orderId, dataClass, dueAt);
  }
}

function isNamed({ vault, purges }: Order, { recordId, kind }: RecordSummary): boolean {
  // No event names the key under which repeats are compared: it lives as long as the contact data.
  if (kind === "fingerprintKey") return purges.contact.purgedAt === null;
  const superseded = vault.superseded.map(({ ref }) => ref);
  return [vault.application, vault.signature, vault.contact, ...vault.groReferences, ...superseded].includes(
    recordId,
  );
}
