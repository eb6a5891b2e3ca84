import { z } from "zod";
import * as field from "../../../domain/fields.ts";
import type { ContactRecord } from "../../../domain/forms/sealed-records.ts";
import type { Order } from "../../../domain/order/state.ts";
import { orderStatuses, statusOf } from "../../../domain/order/status.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
import type { OrderLookup } from "../../../projections/order-lookup.ts";
import { maskEmail, maskName } from "../masking.ts";
import { type Presented, pounds, promiseShown } from "../presented.ts";

const ids = { id: field.id, orderNumber: field.orderNumber };
const status = z.enum(orderStatuses);

/** POST /api/orders */
export const createdAnswer = z.object({ ...ids, reference: field.reference }).meta({ id: "CreatedOrder" });

/** POST /api/create-payment-intent: what the provider's form needs. */
export const clientSecretAnswer = z.object({ clientSecret: z.string() }).meta({ id: "ClientSecret" });

/** What a command on an order answers. */
export const statusAnswer = z.object({ ...ids, status }).meta({ id: "OrderStatus" });

/** GET /api/orders/{id} and POST /api/orders/access. */
export const orderAnswer = z
  .object({ ...ids, reference: field.reference, status, createdAt: field.instant, totalAmount: pounds })
  .meta({ id: "Order" });

/** GET /api/orders/lookup/{orderNumber} */
export const contactLookupAnswer = z
  .object({
    orderNumber: field.orderNumber,
    status,
    createdAt: field.instant,
    totalAmount: pounds,
    promise: promiseShown.nullable(),
    contactFullName: z.string().nullable(),
    email: z.string().nullable(),
    holder: z.boolean(),
  })
  .meta({
    id: "OrderContactLookup",
    description:
      "Name and email address are masked but for the order's holder, and null once they were destroyed",
  });

/** POST /api/orders. */
export const presentCreated = (order: Order): Presented<typeof createdAnswer> => ({
  id: order.orderId,
  orderNumber: order.orderNumber,
  reference: order.reference,
});

/** What a command on an order answers. */
export const presentStatus = (order: Order): Presented<typeof statusAnswer> => ({
  id: order.orderId,
  orderNumber: order.orderNumber,
  status: statusOf(order.phase),
});

/** GET /api/orders/{id} and POST /api/orders/access. */
export const presentOrder = (found: OrderLookup): Presented<typeof orderAnswer> => ({
  id: found.orderId,
  orderNumber: found.orderNumber,
  reference: found.reference,
  status: found.status,
  createdAt: found.createdAt,
  totalAmount: poundsOf(found.totalPence),
});

/** GET /api/orders/lookup/{orderNumber}. `contact` is null after the purge. */
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
  holder,
});
