import { actOnOrders, exportOrders, listOrders, searchOrders } from "../admin-handlers/order-list.ts";
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route, streamForRoles } from "../route.ts";
import { bulkRequest, searchRequest } from "./order-list-bodies.ts";

/** The list of orders: its pages, its search, its export, and what is done to many at once. */
export const orderListRoutes = (parts: Parts): readonly Route[] => [
  forRoles("GET", "/api/admin/orders", ["staff", "manager", "compliance"], {
    limit: "reads",
    body: noBody,
    handle: listOrders(parts),
  }),
  forRoles("POST", "/api/admin/orders/search", ["staff", "manager"], {
    limit: "lookups",
    body: searchRequest,
    handle: searchOrders(parts),
  }),
  streamForRoles("/api/admin/orders.csv", ["staff", "manager"], {
    limit: "lookups",
    handle: exportOrders(parts),
  }),
  forRoles("POST", "/api/admin/orders/bulk", ["staff", "manager"], {
    limit: "commands",
    body: bulkRequest(parts.desk.now),
    handle: actOnOrders(parts),
  }),
];
