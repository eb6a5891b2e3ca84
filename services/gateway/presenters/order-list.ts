import { z } from "zod";
import * as field from "../../../domain/fields.ts";
import { wholeNumber } from "../../../domain/forms/answers.ts";
import { orderStatuses } from "../../../domain/order/status.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
import type { OrderListPage, OrderListRequest } from "../../../projections/order-list.ts";

const cursorParts = z.tuple([z.iso.datetime(), field.id]);

/** Not every text that looks like a time and an id is one to the database: the year 0 and the 31st of February are none. */
function partsOf(text: string) {
  const parts = cursorParts.safeParse(text.split("~"));
  return parts.success && parts.data[0] > "2" ? parts.data : undefined;
}

const cursor = z.string().transform((text, context) => {
  const parts = partsOf(text);
  if (parts) return { createdAt: parts[0], orderId: parts[1] };
  context.addIssue({ code: "custom", message: "Use the `next` of the page before" });
  return z.NEVER;
});

/** The query of the list: one status or all, 1 to 200 a page, from where the page before ended. */
export const listRequest: z.ZodType<OrderListRequest> = z
  .object({
    status: z.enum(orderStatuses, "There is no such status").optional(),
    limit: wholeNumber({ least: 1, most: 200 }, "Use a number from 1 to 200").optional(),
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
