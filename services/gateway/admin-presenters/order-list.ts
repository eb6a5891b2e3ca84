import { z } from "zod";
import * as field from "../../../domain/fields.ts";
import { phases } from "../../../domain/order/phases.ts";
import { type OrderSort, workQueues } from "../../../domain/order/staff/work-queues.ts";
import { orderStatuses } from "../../../domain/order/status.ts";
import { certificateType, serviceLevel } from "../../../domain/order/vocabulary.ts";
import type { OrderListEntry } from "../../../projections/order-list/order-list.ts";
import { type OrderListPage, queuesOfEntry } from "../../../projections/order-list/order-list-queries.ts";
import { cursorOf } from "../admin-routes/order-list-request.ts";
import type { Presented } from "../presented.ts";

const listedShown = z
  .object({
    id: field.id,
    orderNumber: field.orderNumber,
    status: z.enum(orderStatuses),
    phase: z.enum(phases),
    certificateType: certificateType.nullable(),
    serviceLevel: serviceLevel.nullable(),
    copies: z.int().nullable(),
    totalPence: z.int(),
    createdAt: field.instant,
    paidAt: field.instant.nullable(),
    updatedAt: field.instant,
    despatchBy: field.date.nullable(),
    queues: z.array(z.enum(workQueues)),
  })
  .meta({ id: "ListedOrder" });

/** GET /api/admin/orders */
export const orderListAnswer = z
  .object({ orders: z.array(listedShown), next: z.string().nullable(), previous: z.string().nullable() })
  .meta({ id: "OrderList" });

/** POST /api/admin/orders/search */
export const foundAnswer = z
  .object({ orders: z.array(listedShown), more: z.boolean() })
  .meta({ id: "FoundOrders" });

/** A line of the back office's list: money in pence, no personal data. */
export const presentListed = (order: OrderListEntry, now: string): Presented<typeof listedShown> => ({
  id: order.orderId,
  orderNumber: order.orderNumber,
  status: order.status,
  phase: order.phase,
  certificateType: order.certificateType,
  serviceLevel: order.serviceLevel,
  copies: order.copies,
  totalPence: order.totalPence,
  createdAt: order.createdAt,
  paidAt: order.paidAt,
  updatedAt: order.updatedAt,
  despatchBy: order.despatchBy,
  queues: queuesOfEntry(order, now),
});

/** GET /api/admin/orders. */
export const presentOrderList = (
  page: OrderListPage,
  sort: OrderSort,
  now: string,
): Presented<typeof orderListAnswer> => ({
  orders: page.orders.map((order) => presentListed(order, now)),
  next: page.next && cursorOf(sort, page.next),
  previous: page.previous && cursorOf(sort, page.previous),
});

/** POST /api/admin/orders/search. `more`: there are others beyond these. */
export const presentFound = (
  { orders, more }: { readonly orders: readonly OrderListEntry[]; readonly more: boolean },
  now: string,
): Presented<typeof foundAnswer> => ({ orders: orders.map((order) => presentListed(order, now)), more });
