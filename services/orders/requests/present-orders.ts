import type { createdAnswer, statusAnswer } from "../../../contract/orders/ordering.ts";
import type { contactLookupAnswer, orderAnswer } from "../../../contract/orders/tracking.ts";
import type { Presented } from "../../../contract/request.ts";
import type { ContactRecord } from "../../../domain/forms/sealed-records.ts";
import type { Order } from "../../../domain/order/state.ts";
import { statusOf } from "../../../domain/order/status.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
import type { OrderLookup } from "../../../projections/order-lookup.ts";
import { maskEmail, maskName } from "./masking.ts";

export const presentCreated = (order: Order): Presented<typeof createdAnswer> => ({
  id: order.orderId,
  orderNumber: order.orderNumber,
  reference: order.reference,
});

/** Answers a command on an order. */
export const presentStatus = (order: Order): Presented<typeof statusAnswer> => ({
  id: order.orderId,
  orderNumber: order.orderNumber,
  status: statusOf(order.phase),
});

export const presentOrder = (found: OrderLookup): Presented<typeof orderAnswer> => ({
  id: found.orderId,
  orderNumber: found.orderNumber,
  reference: found.reference,
  status: found.status,
  createdAt: found.createdAt,
  totalAmount: poundsOf(found.totalPence),
});

/** `contact` is null after the purge. */
export const presentContactLookup = (
  found: OrderLookup,
  contact: ContactRecord | null,
  holder: boolean,
): Presented<typeof contactLookupAnswer> => ({
  orderNumber: found.orderNumber,
  status: found.status,
  createdAt: found.createdAt,
  totalAmount: poundsOf(found.totalPence),
  promise: found.promise && { receivedOn: found.promise.receivedOn, despatchBy: found.promise.despatchBy },
  contactFullName: contact && (holder ? contact.contactFullName : maskName(contact.contactFullName)),
  email: contact && (holder ? contact.email : maskEmail(contact.email)),
  ...presentForHolder(contact, holder),
  holder,
});

/** What a page shows to the order's holder alone. */
export const presentForHolder = (contact: ContactRecord | null, holder: boolean) => ({
  recipientName: (holder && contact?.recipient?.fullName) || null,
  customerReference: (holder && contact?.customerReference) || null,
});
