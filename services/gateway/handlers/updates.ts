import type { Parts } from "../parts.ts";
import type { StaffCall } from "../route.ts";

/** GET /api/admin/updates, as server-sent events. */
export const followUpdates =
  ({ updates }: Parts) =>
  async ({ request, response, by }: StaffCall): Promise<void> =>
    updates.open(request, response, by.session);
