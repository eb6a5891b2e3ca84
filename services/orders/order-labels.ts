import { createHash } from "node:crypto";
import { orderNumberOf, orderReference } from "../../domain/numbers.ts";
import type { DeriveId } from "../vault/record-ids.ts";

/**
 * Order number and reference of an order, always the same for the same id. They are as random as the installation's secret, from
 * which the derivation starts: nobody can work the number out from the id.
 */
export function orderLabels(deriveId: DeriveId, orderId: string, year: number) {
  const bytes = createHash("sha256").update(deriveId("order-number", orderId)).digest();
  return {
    orderNumber: orderNumberOf(bytes.readBigUInt64BE(0)),
    reference: orderReference(year, bytes.readUInt32BE(8) % 1000),
  };
}
