import type { lookupAnswer } from "../../../contract/orders/tracking.ts";
import type { receiptShown } from "../../../contract/shapes.ts";
import { isUnpaid } from "../../../domain/order/phases.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
import type { OrderLookup } from "../../../projections/order-lookup.ts";
import type { Presented } from "../../gateway/routing/presented.ts";

/** The holder's additional rights. */
export type Standing = { readonly holder: boolean; readonly mayCommand: boolean };

/** The fields of the specification's section 7, and those the tracking page adds. `id` is for the holder only. */
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
 * The contact details the holder may correct: all until the GRO may have name and address, then email and phone until
 * the certificate is despatched. Null once destroyed, and for orders cancelled before payment, which cause no more
 * correspondence.
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
