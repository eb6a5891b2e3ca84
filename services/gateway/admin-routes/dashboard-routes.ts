import { showDashboard } from "../admin-handlers/dashboard.ts";
import { dashboardAnswer } from "../admin-presenters/dashboard.ts";
import { answers } from "../answers.ts";
import type { Parts } from "../parts.ts";
import { forRoles, type Route } from "../route.ts";
import { dashboardRequest } from "./dashboard-request.ts";

/** What waits, how the business goes, and whether everything runs. */
export const dashboardRoutes = (parts: Parts): readonly Route[] => [
  forRoles("GET", "/api/admin/dashboard", ["staff", "manager"], {
    summary: "What waits, how the business goes, and whether everything runs",
    limit: "reads",
    query: dashboardRequest,
    answers: answers(dashboardAnswer),
    handle: showDashboard(parts),
  }),
];
