import { followUpdates } from "../handlers/updates.ts";
import type { Parts } from "../parts.ts";
import { type Route, streamForRoles } from "../route.ts";

/** What the pages of the back office follow: which order, ticket or setting changed, and nothing of it. */
export const updateRoutes = (parts: Parts): readonly Route[] => [
  streamForRoles("/api/admin/updates", ["staff", "manager", "compliance"], {
    limit: "reads",
    handle: followUpdates(parts),
  }),
];
