import * as audit from "../../contract/compliance/audit.ts";
import * as records from "../../contract/compliance/records.ts";
import * as registers from "../../contract/compliance/registers.ts";
import { faultOf } from "../gateway/errors/fault.ts";
import { staffRoute } from "../gateway/routing/route.ts";
import {
  presentAudit,
  presentDue,
  presentLooks,
  presentProcessing,
  presentPurges,
  presentRetention,
} from "./present-compliance.ts";
import { processingRecord } from "./processing-record.ts";
import { retentionSchedule } from "./retention-schedule.ts";

/** More than this many at once are an incident rather than a list; the oldest are shown. */
const mostDue = 500;

export const listPurges = staffRoute(registers.listPurges, ({ queries }) => async ({ body }) => ({
  body: presentPurges(await queries.listPurges(body)),
}));

export const listLooks = staffRoute(registers.listLooks, ({ queries, directory }) => async ({ body }) => {
  const page = await queries.listLooks(body);
  const nameOf = await directory.namesOf(page.entries.map(({ staffId }) => staffId));
  return { body: presentLooks(page, nameOf) };
});

export const showDuePurges = staffRoute(
  records.listDuePurges,
  ({ outstandingPurges, queries }) =>
    async () => {
      const due = await outstandingPurges(mostDue);
      return { body: presentDue(due, await queries.numbersOf(due.map(({ subjectId }) => subjectId))) };
    },
);

export const showAudit = staffRoute(audit.showAudit, ({ auditor, signer }) => async () => ({
  body: presentAudit(await auditor.standing(), signer.publicKeyPem),
}));

/** Answers at once; the result appears in the list of runs. */
export const startAudit = staffRoute(audit.startAudit, ({ auditor, signer, deps }) => async () => {
  auditor
    .auditWhole()
    .catch((error: unknown) =>
      deps.log.error({ fault: faultOf(error) }, "the whole log could not be audited"),
    );
  return { body: presentAudit(await auditor.standing(), signer.publicKeyPem) };
});

export const showRetention = staffRoute(records.showRetention, ({ retention }) => async () => ({
  body: presentRetention(retentionSchedule(retention)),
}));

/** The record of processing activities, with the controller. */
export const showProcessing = staffRoute(records.showProcessing, ({ settings, retention }) => async () => ({
  body: presentProcessing(settings.current().company, processingRecord(retention.submissionByHand ?? false)),
}));
