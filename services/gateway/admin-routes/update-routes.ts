import { events } from "../answers.ts";
import { followUpdates } from "../handlers/updates.ts";
import { staffUpdate } from "../live/staff-changes.ts";
import type { Parts } from "../parts.ts";
import { noBody, type Route, streamForRoles } from "../route.ts";

/** What the pages of the back office follow: which order, ticket or setting changed, and nothing of it. */
export const updateRoutes = (parts: Parts): readonly Route[] => [
  streamForRoles("/api/admin/updates", ["staff", "manager", "compliance"], {
    summary: "Follow what changes, live",
    limit: "reads",
    answers: events(staffUpdate, "An event named `changed` that names what changed, and nothing of it"),
    refuses: ["busy"],
    body: noBody,
    handle: followUpdates(parts),
  }),
];
