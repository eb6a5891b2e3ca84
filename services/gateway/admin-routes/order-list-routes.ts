import { listOrders } from "../admin-handlers/order-list.ts";
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route } from "../route.ts";

/** The list of orders. */
export const orderListRoutes = (parts: Parts): readonly Route[] => [
  forRoles("GET", "/api/admin/orders", ["staff", "manager", "compliance"], {
    limit: "reads",
    body: noBody,
    handle: listOrders(parts),
  }),
];
