import type { Parts } from "../parts.ts";
import type { Route } from "../route.ts";
import { complianceRoutes } from "./compliance-routes.ts";
import { customerRoutes } from "./customer-routes.ts";
import { dashboardRoutes } from "./dashboard-routes.ts";
import { orderListRoutes } from "./order-list-routes.ts";
import { orderRoutes } from "./order-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { ticketRoutes } from "./ticket-routes.ts";
import { updateRoutes } from "./update-routes.ts";

/** Every route of the back office, by subject. Each names the roles that may call it. */
export const adminRoutes = (parts: Parts): readonly Route[] => [
  ...complianceRoutes(parts),
  ...customerRoutes(parts),
  ...dashboardRoutes(parts),
  ...orderListRoutes(parts),
  ...orderRoutes(parts),
  ...settingsRoutes(parts),
  ...ticketRoutes(parts),
  ...updateRoutes(parts),
];
