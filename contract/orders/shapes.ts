import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { orderStatuses } from "../../domain/order/status.ts";

export const ids = { id: field.id, orderNumber: field.orderNumber };

export const status = z.enum(orderStatuses);

/** What a command on an order answers. */
export const statusAnswer = z.object({ ...ids, status }).register(z.globalRegistry, { id: "OrderStatus" });
