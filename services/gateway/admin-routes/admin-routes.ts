import type { Parts } from "../parts.ts";
import type { Route } from "../route.ts";
import { orderListRoutes } from "./order-list-routes.ts";
import { orderRoutes } from "./order-routes.ts";
import { ticketRoutes } from "./ticket-routes.ts";
import { updateRoutes } from "./update-routes.ts";

/** Every route of the back office, by subject. Each names the roles that may call it. */
export const adminRoutes = (parts: Parts): readonly Route[] => [
  ...orderListRoutes(parts),
  ...orderRoutes(parts),
  ...ticketRoutes(parts),
  ...updateRoutes(parts),
];
