import { isSameCertificate } from "../../../domain/certificates/same-certificate.ts";
import { type ApplicationRecord, applicationRecord } from "../../../domain/forms/sealed-records.ts";
import { isPaidFor } from "../../../domain/order/payment/money.ts";
import type { Order } from "../../../domain/order/state.ts";
import { mostCertificateIds } from "../../../domain/order/vocabulary.ts";
import { loadedIfKnown, type Orders } from "../../orders/orders.ts";
import type { BlindIndex } from "../../vault/blind-index.ts";
import { openIfThere, type Vault } from "../../vault/vault.ts";
import { onBehalfOf } from "../perform-task.ts";

type FindDuplicatesParts = {
  readonly orders: Orders;
  readonly vault: Vault;
  readonly index: BlindIndex;
  readonly newId: () => string;
};

/** The most orders with which one is compared. */
const mostCompared = 20;

/**
 * Compares paid orders with others of their customer whose applications are not purged yet, and records the ids of those
 * for the same certificate. Nothing else is kept of the comparison.
 * @param fail called for each order that could not be compared; the others continue
 */
export async function findDuplicates(
  parts: FindDuplicatesParts,
  orderIds: readonly string[],
  fail: (orderId: string, error: unknown) => void,
): Promise<void> {
  for (const [orderId, others] of await parts.index.othersWithApplication(orderIds, mostCompared))
    await compare(parts, orderId, others).catch((error: unknown) => fail(orderId, error));
}

async function compare(
  parts: FindDuplicatesParts,
  orderId: string,
  others: readonly string[],
): Promise<void> {
  const loaded = await loadedIfKnown(parts.orders, orderId);
  const own = loaded && (await comparedPart(parts.vault, loaded.order));
  if (!own) return;
  const found = new Set<string>();
  for (const other of others) {
    for (const id of await idsOfSame(parts, own, other)) found.add(id);
  }
  if (found.size === 0) return;
  await parts.orders.execute({
    orderId,
    commandId: parts.newId(),
    by: onBehalfOf(loaded, parts),
    command: {
      type: "RecordSameCertificate",
      data: { certificateIds: [...found].slice(0, mostCertificateIds) },
    },
  });
}

type Compared = { readonly ids: readonly string[]; readonly application: ApplicationRecord };

/** Undefined for an order that is not to be compared, and once its application is gone. */
async function comparedPart(vault: Vault, order: Order): Promise<Compared | undefined> {
  const { certificateIds: ids } = order;
  if (!ids || !isPaidFor(order)) return undefined;
  const application = await openIfThere(vault, order.vault.application, applicationRecord);
  return application && { ids, application };
}

/** The ids of another order for the same certificate, unless it shares one already. */
async function idsOfSame(
  { orders, vault }: FindDuplicatesParts,
  own: Compared,
  otherId: string,
): Promise<readonly string[]> {
  const loaded = await loadedIfKnown(orders, otherId);
  const other = loaded && (await comparedPart(vault, loaded.order));
  if (!other || other.ids.some((id) => own.ids.includes(id))) return [];
  return isSameCertificate(own.application, other.application) ? other.ids : [];
}
