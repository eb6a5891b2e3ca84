import {
  listLooks,
  listPurges,
  showAudit,
  showDuePurges,
  showProcessing,
  showRetention,
  startAudit,
} from "../admin-handlers/compliance.ts";
import { exportRegister } from "../admin-handlers/compliance-export.ts";
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route } from "../route.ts";

const auditors = ["compliance", "manager"] as const;
const reading = { limit: "reads", body: noBody } as const;

/** What an auditor reads. Nothing here is personal data, and nothing commands. */
export const complianceRoutes = (parts: Parts): readonly Route[] => [
  forRoles("GET", "/api/admin/compliance/purges", auditors, { ...reading, handle: listPurges(parts) }),
  forRoles("GET", "/api/admin/compliance/due", auditors, { ...reading, handle: showDuePurges(parts) }),
  forRoles("GET", "/api/admin/compliance/access", auditors, { ...reading, handle: listLooks(parts) }),
  forRoles("GET", "/api/admin/compliance/audit", auditors, { ...reading, handle: showAudit(parts) }),
  // Reads the whole log: nothing of an order changes, so whoever may see its result may ask for it.
  forRoles("POST", "/api/admin/compliance/audit", auditors, {
    limit: "contact",
    body: noBody,
    handle: startAudit(parts),
  }),
  forRoles("GET", "/api/admin/compliance/retention", auditors, { ...reading, handle: showRetention(parts) }),
  forRoles("GET", "/api/admin/compliance/processing", auditors, {
    ...reading,
    handle: showProcessing(parts),
  }),
  forRoles("GET", "/api/admin/compliance/export", auditors, { ...reading, handle: exportRegister(parts) }),
];
