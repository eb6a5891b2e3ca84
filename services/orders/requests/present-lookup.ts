import type { lookupAnswer } from "../../../contract/orders/tracking.ts";
import type { receiptShown } from "../../../contract/shapes.ts";
import { isUnpaid } from "../../../domain/order/phases.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
import type { OrderLookup } from "../../../projections/order-lookup.ts";
import type { Presented } from "../../gateway/routing/presented.ts";

/** What the caller may see and do beyond anybody who knows the number. */
export type Standing = { readonly holder: boolean; readonly mayCommand: boolean };

/** Section 7's fields, and what the tracking page shows besides. `id` is for the holder alone. */
export function presentLookup(
  found: OrderLookup,
  { holder, mayCommand }: Standing,
): Presented<typeof lookupAnswer> {
  return {
    id: holder ? found.orderId : null,
    orderNumber: found.orderNumber,
    status: found.status,
    createdAt: found.createdAt,
    total: poundsOf(found.totalPence),
    items: found.items,
    statusHistory: found.statusHistory.map(({ status, text, timestamp }) => ({ status, text, timestamp })),
    lastUpdated: found.updatedAt,
    promise: found.promise && { receivedOn: found.promise.receivedOn, despatchBy: found.promise.despatchBy },
    receipt: found.receipt && presentReceipt(found.receipt),
    holder,
    certificateType: found.certificateType,
    canCancel: mayCommand && found.cancellable,
    canAmend: mayCommand && found.amendable,
    question: mayCommand && found.question,
    cancellationRequested: found.cancellationRequested,
    needsAnotherAddress: holder && found.needsAnotherAddress,
    contactChange: holder ? contactChangeOf(found) : null,
  };
}

/**
 * What the holder may correct of who is written to: all of it until the GRO may have name and address, then how we reach them, until
 * the certificate is on its way. Null once it was destroyed, and where nobody will write any more: cancelled before it was paid.
 */
function contactChangeOf({ contactRef, phase, amendable, question, statusHistory }: OrderLookup) {
  if (contactRef === null || phase === "Dispatched" || phase === "Fulfilled") return null;
  if (phase === "Cancelled" && !statusHistory.some(({ status }) => status === "Processing")) return null;
  return isUnpaid(phase) || amendable || question ? "all" : "reach";
}

function presentReceipt(receipt: NonNullable<OrderLookup["receipt"]>): Presented<typeof receiptShown> {
  return {
    destroyed: receipt.destroyed,
    records: receipt.records,
    at: receipt.purgedAt,
    secondsAfterSubmission: receipt.secondsSinceSubmission,
    rule: receipt.rule,
    probe: receipt.probe,
    keyFingerprint: receipt.keyFingerprint,
  };
}
