import type { z } from "zod";
import { processingRecord } from "../../compliance/processing-record.ts";
import { retentionSchedule } from "../../compliance/retention-schedule.ts";
import {
  presentAudit,
  presentDue,
  presentLooks,
  presentProcessing,
  presentPurges,
  presentRetention,
} from "../admin-presenters/compliance.ts";
import type { looksQuery, purgesQuery } from "../admin-routes/compliance-requests.ts";
import { faultOf } from "../fault.ts";
import type { Parts } from "../parts.ts";
import type { Answer, Call } from "../route.ts";

/** More than these at once are no list to read, but an incident; the oldest are shown. */
const mostDue = 500;

/** GET /api/admin/compliance/purges?from=&to=&dataClass=&rule=&troubled=&after= */
export const listPurges =
  ({ queries }: Parts) =>
  async ({ body }: Call<z.output<typeof purgesQuery>>): Promise<Answer> => ({
    body: presentPurges(await queries.listPurges(body)),
  });

/** GET /api/admin/compliance/access?from=&to=&staffId=&reason=&after= */
export const listLooks =
  ({ queries, directory }: Parts) =>
  async ({ body }: Call<z.output<typeof looksQuery>>): Promise<Answer> => {
    const page = await queries.listLooks(body);
    const nameOf = await directory.namesOf(page.entries.map(({ staffId }) => staffId));
    return { body: presentLooks(page, nameOf) };
  };

/** GET /api/admin/compliance/due */
export const showDuePurges =
  ({ outstandingPurges, queries }: Parts) =>
  async (): Promise<Answer> => {
    const due = await outstandingPurges(mostDue);
    return { body: presentDue(due, await queries.numbersOf(due.map(({ subjectId }) => subjectId))) };
  };

/** GET /api/admin/compliance/audit */
export const showAudit =
  ({ auditor, signer }: Parts) =>
  async (): Promise<Answer> => ({ body: presentAudit(await auditor.standing(), signer.publicKeyPem) });

/** POST /api/admin/compliance/audit: answers at once; the result is in the list of runs when it is there. */
export const startAudit =
  ({ auditor, signer, desk }: Parts) =>
  async (): Promise<Answer> => {
    auditor
      .auditWhole()
      .catch((error: unknown) =>
        desk.log.error({ fault: faultOf(error) }, "the whole log could not be audited"),
      );
    return { status: 202, body: presentAudit(await auditor.standing(), signer.publicKeyPem) };
  };

/** GET /api/admin/compliance/retention */
export const showRetention =
  ({ retention }: Parts) =>
  async (): Promise<Answer> => ({ body: presentRetention(retentionSchedule(retention)) });

/** GET /api/admin/compliance/processing: the record of processing activities, with who is responsible. */
export const showProcessing =
  ({ settings, retention }: Parts) =>
  async (): Promise<Answer> => ({
    body: presentProcessing(
      settings.current().company,
      processingRecord(retention.submissionByHand ?? false),
    ),
  });
