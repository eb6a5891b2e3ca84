import type { Presented } from "../../../../contract/request.ts";
import type { foundAnswer, listedShown, orderListAnswer } from "../../../../contract/staff-orders/list.ts";
import type { OrderSort } from "../../../../domain/order/staff/work-queues.ts";
import type { OrderListEntry } from "../../../../projections/order-list/order-list-entry.ts";
import { type OrderListPage, queuesOfEntry } from "../../../../projections/order-list/order-list-queries.ts";
import { cursorOf } from "./order-list-choice.ts";

/** A line of the back office's list. Money in pence; no personal data. */
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

export const presentOrderList = (
  page: OrderListPage,
  sort: OrderSort,
  now: string,
): Presented<typeof orderListAnswer> => ({
  orders: page.orders.map((order) => presentListed(order, now)),
  next: page.next && cursorOf(sort, page.next),
  previous: page.previous && cursorOf(sort, page.previous),
});

/** `more`: there are further matches. */
export const presentFound = (
  { orders, more }: { readonly orders: readonly OrderListEntry[]; readonly more: boolean },
  now: string,
): Presented<typeof foundAnswer> => ({ orders: orders.map((order) => presentListed(order, now)), more });
