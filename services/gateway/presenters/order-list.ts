import { z } from "zod";
import { orderStatuses } from "../../../domain/order/status.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
import type { OrderListPage, OrderListRequest } from "../../../projections/order-list.ts";

const cursor = z
  .string()
  .regex(/^[\d:.TZ-]{20,30}~[0-9a-f-]{36}$/, "Use the `next` of the page before")
  .transform((text) => {
    const [createdAt = "", orderId = ""] = text.split("~");
    return { createdAt, orderId };
  })
  .refine(({ createdAt }) => !Number.isNaN(Date.parse(createdAt)), "Use the `next` of the page before");

/** The query of the list: one status or all, 1 to 200 a page, from where the page before ended. */
export const listRequest: z.ZodType<OrderListRequest> = z
  .object({
    status: z.enum(orderStatuses, "There is no such status").optional(),
    limit: z.coerce.number("Use a number from 1 to 200").int().min(1).max(200).optional(),
    after: cursor.optional(),
  })
  .transform(({ status, limit, after }) => ({
    ...(status && { status }),
    ...(limit !== undefined && { limit }),
    ...(after && { after }),
  }));

/** GET /api/admin/orders: newest first, money in pounds, no personal data. */
export function presentOrderList({ orders, next }: OrderListPage) {
  return {
    orders: orders.map((order) => ({
      id: order.orderId,
      orderNumber: order.orderNumber,
      status: order.status,
      phase: order.phase,
      certificateType: order.certificateType,
      serviceLevel: order.serviceLevel,
      copies: order.copies,
      totalAmount: poundsOf(order.totalPence),
      createdAt: order.createdAt,
      updatedAt: order.updatedAt,
    })),
    next: next && `${next.createdAt}~${next.orderId}`,
  };
}
