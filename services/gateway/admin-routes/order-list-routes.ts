import { actOnOrders, exportOrders, listOrders, searchOrders } from "../admin-handlers/order-list.ts";
import { bulkAnswer } from "../admin-presenters/bulk-outcomes.ts";
import { foundAnswer, orderListAnswer } from "../admin-presenters/order-list.ts";
import { answers, file } from "../answers.ts";
import type { Parts } from "../parts.ts";
import { forRoles, type Route, streamForRoles } from "../route.ts";
import { bulkRequest, searchRequest } from "./order-list-bodies.ts";
import { exportRequest, listRequest } from "./order-list-request.ts";

/** The list of orders: its pages, its search, its export, and what is done to many at once. */
export const orderListRoutes = (parts: Parts): readonly Route[] => [
  forRoles("GET", "/api/admin/orders", ["staff", "manager", "compliance"], {
    summary: "The list of orders",
    limit: "reads",
    query: listRequest,
    answers: answers(orderListAnswer),
    handle: listOrders(parts),
  }),
  forRoles("POST", "/api/admin/orders/search", ["staff", "manager"], {
    summary: "Find orders by number or by what a customer gave",
    limit: "lookups",
    body: searchRequest,
    answers: answers(foundAnswer),
    handle: searchOrders(parts),
  }),
  streamForRoles("/api/admin/orders.csv", ["staff", "manager"], {
    summary: "The list of orders as a table",
    withinSeconds: 60,
    limit: "lookups",
    answers: file("text/csv"),
    query: exportRequest,
    handle: exportOrders(parts),
  }),
  forRoles("POST", "/api/admin/orders/bulk", ["staff", "manager"], {
    summary: "Do the same for each of some orders",
    withinSeconds: 60,
    limit: "commands",
    body: bulkRequest(parts.desk.now),
    answers: answers(bulkAnswer),
    handle: actOnOrders(parts),
  }),
];
