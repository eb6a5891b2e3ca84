import { Refused } from "../../domain/decider.ts";
import { addDays, before } from "../../domain/instant.ts";
import { owed } from "../../domain/order/owed.ts";
import type { Order } from "../../domain/order/state.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import type { Orders } from "../commands/orders.ts";
import type { RecordSummary, Vault } from "../vault/vault.ts";
import { jobOf } from "./duty-jobs.ts";
import type { DutyParts } from "./errand.ts";

const batchSize = 200;

export type VaultSweepParts = Pick<DutyParts, "settings" | "now" | "log"> & {
  orders: Orders;
  vault: Vault;
  jobs: Jobs;
};

/**
 * Looks at every sealed record that is due and asks the log about it: what no event names is destroyed here and now; for
 * the rest the order's own duties decide, and what they still need is looked at again a day later.
 * @returns how many records were looked at
 */
export async function sweepVault(parts: VaultSweepParts): Promise<number> {
  const due = await parts.vault.due(parts.now(), batchSize);
  const bySubject = Map.groupBy(due, ({ subject }) => subject);
  for (const [orderId, records] of bySubject) await look(parts, orderId, records);
  return due.length;
}

async function look(
  parts: VaultSweepParts,
  orderId: string,
  records: readonly RecordSummary[],
): Promise<void> {
  const { vault, jobs, settings, now, log } = parts;
  const order = await orderOf(parts.orders, orderId);
  const orphans = records
    .filter((record) => !order || !isNamed(order, record))
    .map(({ recordId }) => recordId);
  if (orphans.length > 0) {
    await vault.destroy(orphans);
    log.info({ orderId, records: orphans.length }, "records that no event names were destroyed");
  }
  if (!order || orphans.length === records.length) return;
  const at = now();
  const duties = owed(order, at.toISOString(), settings).filter(
    ({ dueAt }) => !before(at.toISOString(), dueAt),
  );
  await jobs.add(duties.map(({ name }) => jobOf({ orderId, name, dueAt: at }, at)));
  for (const dataClass of new Set(records.map((record) => record.dataClass))) {
    await vault.postpone(orderId, dataClass, addDays(at.toISOString(), 1));
  }
}

async function orderOf(orders: Orders, orderId: string): Promise<Order | undefined> {
  try {
    return (await orders.load(orderId)).order;
  } catch (error) {
    if (error instanceof Refused && error.code === "unknown-order") return undefined;
    throw error;
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
