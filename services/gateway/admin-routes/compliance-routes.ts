import { signedExport } from "../../compliance/signed-export.ts";
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
import { listParked, retryParked } from "../admin-handlers/parked-records.ts";
import {
  auditAnswer,
  dueAnswer,
  looksAnswer,
  processingAnswer,
  purgesAnswer,
  retentionAnswer,
} from "../admin-presenters/compliance.ts";
import { parkedAnswer } from "../admin-presenters/parked-records.ts";
import { answers, begins } from "../answers.ts";
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route } from "../route.ts";
import { exportQuery, looksQuery, purgesQuery } from "./compliance-requests.ts";

const auditors = ["compliance", "manager"] as const;
const reading = { limit: "reads", body: noBody } as const;

/** What an auditor reads. Nothing here is personal data, and nothing changes an order. */
export const complianceRoutes = (parts: Parts): readonly Route[] => [
  forRoles("GET", "/api/admin/compliance/purges", auditors, {
    summary: "The register of purges",
    limit: "reads",
    query: purgesQuery,
    answers: answers(purgesAnswer),
    handle: listPurges(parts),
  }),
  forRoles("GET", "/api/admin/compliance/due", auditors, {
    summary: "What is to be destroyed, and by when",
    ...reading,
    answers: answers(dueAnswer),
    handle: showDuePurges(parts),
  }),
  forRoles("GET", "/api/admin/compliance/access", auditors, {
    summary: "The log of looks at personal data",
    limit: "reads",
    query: looksQuery,
    answers: answers(looksAnswer),
    handle: listLooks(parts),
  }),
  forRoles("GET", "/api/admin/compliance/audit", auditors, {
    summary: "How the audit of the log stands",
    ...reading,
    answers: answers(auditAnswer),
    handle: showAudit(parts),
  }),
  // Reads the whole log: nothing of an order changes, so whoever may see its result may ask for it.
  forRoles("POST", "/api/admin/compliance/audit", auditors, {
    summary: "Read and verify the whole log",
    limit: "contact",
    body: noBody,
    answers: begins(auditAnswer),
    handle: startAudit(parts),
  }),
  forRoles("GET", "/api/admin/compliance/parked", auditors, {
    summary: "Orders and tickets that wait until they are put right",
    ...reading,
    answers: answers(parkedAnswer),
    handle: listParked(parts),
  }),
  forRoles("POST", "/api/admin/compliance/parked/retry", ["manager"], {
    summary: "Try again whether they can be gone on with",
    limit: "contact",
    body: noBody,
    answers: begins(parkedAnswer),
    handle: retryParked(parts),
  }),
  forRoles("GET", "/api/admin/compliance/retention", auditors, {
    summary: "The retention schedule",
    ...reading,
    answers: answers(retentionAnswer),
    handle: showRetention(parts),
  }),
  forRoles("GET", "/api/admin/compliance/processing", auditors, {
    summary: "The record of processing activities",
    ...reading,
    answers: answers(processingAnswer),
    handle: showProcessing(parts),
  }),
  forRoles("GET", "/api/admin/compliance/export", auditors, {
    summary: "A register as a signed file",
    withinSeconds: 60,
    limit: "reads",
    query: exportQuery,
    answers: answers(signedExport),
    handle: exportRegister(parts),
  }),
];
