import { z } from "zod";

const spans = ["30", "90", "365"] as const;

/** GET /api/admin/dashboard?days= */
export const dashboardRequest = z.object({
  days: z.enum(spans, "Use 30, 90 or 365").default("30").transform(Number),
});
export type DashboardRequest = z.output<typeof dashboardRequest>;
