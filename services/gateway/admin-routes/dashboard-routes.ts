import { showDashboard } from "../admin-handlers/dashboard.ts";
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route } from "../route.ts";

/** What waits, how the business goes, and whether everything runs. */
export const dashboardRoutes = (parts: Parts): readonly Route[] => [
  forRoles("GET", "/api/admin/dashboard", ["staff", "manager"], {
    limit: "reads",
    body: noBody,
    handle: showDashboard(parts),
  }),
];
