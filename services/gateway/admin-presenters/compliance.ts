import { z } from "zod";
import * as field from "../../../domain/fields.ts";
import { dataClass, probeResult, purgeFailureCode, revealReason } from "../../../domain/order/vocabulary.ts";
import { type CompanyDetails, companyDetails } from "../../../domain/settings/settings-texts.ts";
import type { AuditRun } from "../../../infra/audit/audit-records.ts";
import type { AuditorStanding } from "../../../infra/audit/auditor.ts";
import type { AccessEntry } from "../../../projections/access-log.ts";
import type { PurgeEntry } from "../../../projections/purge-register.ts";
import type { Numbered, RegisterPage } from "../../../projections/register-queries.ts";
import type { ProcessingRecord } from "../../compliance/processing-record.ts";
import type { RetentionLine } from "../../compliance/retention-schedule.ts";
import type { OutstandingPurge } from "../../policies/purging/outstanding-purges.ts";
import { cursorOf } from "../admin-routes/compliance-requests.ts";
import { anyDestroyed, anyRule, type Presented } from "../presented.ts";

const about = z.enum(["order", "ticket"]);
const number = z.string().nullable();

const purgeShown = z.object({
  id: z.string(),
  at: field.instant,
  about,
  number,
  dataClass,
  outcome: z.enum(["purged", "failed"]),
  rule: anyRule.nullable(),
  destroyed: z.array(anyDestroyed),
  records: field.count,
  keyFingerprint: field.keyFingerprint.nullable(),
  probe: probeResult.nullable(),
  secondsSinceSubmission: z.number().nullable(),
  code: purgeFailureCode.nullable(),
});

/** GET /api/admin/compliance/purges */
export const purgesAnswer = z
  .object({ purges: z.array(purgeShown), next: z.string().nullable() })
  .meta({ id: "PurgeRegister" });

const lookShown = z.object({
  id: z.string(),
  at: field.instant,
  staffId: z.string(),
  staffName: z.string(),
  about,
  number,
  dataClass,
  reason: revealReason,
});

/** GET /api/admin/compliance/access */
export const looksAnswer = z
  .object({ looks: z.array(lookShown), next: z.string().nullable() })
  .meta({ id: "LogOfLooks" });

/** GET /api/admin/compliance/due */
export const dueAnswer = z
  .object({
    due: z.array(
      z.object({ name: z.string(), number, kind: z.string(), dueAt: field.instant, tries: field.count }),
    ),
  })
  .meta({ id: "DuePurges" });

const auditProblem = z.object({
  kind: z.enum(["chain-broken", "differs-from-checkpoint", "cut-short", "other-log", "checkpoints-broken"]),
  stream: z.string().nullable(),
  revision: z.int().nullable(),
  words: z.string(),
});

const auditRun = z.object({
  id: z.string(),
  kind: z.enum(["whole", "following"]),
  startedAt: field.instant,
  finishedAt: field.instant,
  events: field.count,
  streams: field.count,
  checkpoints: field.count,
  problem: auditProblem.nullable(),
});

const checkpointShown = z.object({
  at: field.instant,
  count: field.count,
  rollingHash: z.string(),
  position: z.string(),
  baseline: z.boolean(),
  signature: z.string(),
});

/** GET and POST /api/admin/compliance/audit */
export const auditAnswer = z
  .object({
    state: z.enum(["following", "standby", "stopped"]),
    reason: z.string().nullable(),
    events: field.count,
    running: field.count.nullable(),
    lastCheckpoint: checkpointShown.nullable(),
    publicKeyPem: z.string(),
    runs: z.array(auditRun),
  })
  .meta({ id: "AuditOfTheLog" });

/** GET /api/admin/compliance/retention */
export const retentionAnswer = z
  .object({
    lines: z.array(
      z.object({
        subject: about,
        rule: anyRule,
        dataClass,
        trigger: z.string(),
        afterSeconds: field.count,
        decidedBy: z.string(),
        doneBy: z.string(),
      }),
    ),
  })
  .meta({ id: "RetentionSchedule" });

const activity = z.object({
  name: z.string(),
  purpose: z.string(),
  lawfulBasis: z.string(),
  people: z.string(),
  data: z.array(z.string()),
  recipients: z.array(z.string()),
  endedBy: z.array(z.string()),
});

/** GET /api/admin/compliance/processing */
export const processingAnswer = z
  .object({
    controller: companyDetails,
    transfers: z.string(),
    security: z.array(z.string()),
    activities: z.array(activity),
  })
  .meta({ id: "ProcessingRecord" });

type NameOf = (staffId: string) => string;

const next = ({ next }: RegisterPage<unknown>): string | null => next && cursorOf(next);

/** One purge, or one failure of it. */
export const presentPurge = (entry: Numbered<PurgeEntry>): Presented<typeof purgeShown> => ({
  id: entry.eventId,
  at: entry.at,
  about: entry.subject.kind,
  number: entry.number,
  dataClass: entry.dataClass,
  outcome: entry.outcome,
  rule: entry.rule,
  destroyed: entry.destroyed,
  records: entry.records,
  keyFingerprint: entry.keyFingerprint,
  probe: entry.probe,
  secondsSinceSubmission: entry.secondsSinceSubmission,
  code: entry.code,
});

/** A page of the register of purges. */
export const presentPurges = (page: RegisterPage<PurgeEntry>): Presented<typeof purgesAnswer> => ({
  purges: page.entries.map(presentPurge),
  next: next(page),
});

/** One look at personal data. */
export const presentLook = (entry: Numbered<AccessEntry>, nameOf: NameOf): Presented<typeof lookShown> => ({
  id: entry.eventId,
  at: entry.at,
  staffId: entry.staffId,
  staffName: nameOf(entry.staffId),
  about: entry.subject.kind,
  number: entry.number,
  dataClass: entry.dataClass,
  reason: entry.reason,
});

/** A page of the log of looks. */
export const presentLooks = (
  page: RegisterPage<AccessEntry>,
  nameOf: NameOf,
): Presented<typeof looksAnswer> => ({
  looks: page.entries.map((entry) => presentLook(entry, nameOf)),
  next: next(page),
});

/** What is to be destroyed, and by when. */
export const presentDue = (
  due: readonly OutstandingPurge[],
  numbers: ReadonlyMap<string, string>,
): Presented<typeof dueAnswer> => ({
  due: due.map(({ subjectId, name, kind, dueAt, tries }) => ({
    name,
    number: numbers.get(subjectId) ?? null,
    kind,
    dueAt,
    tries,
  })),
});

const presentRun = ({
  id,
  kind,
  startedAt,
  finishedAt,
  events,
  streams,
  checkpoints,
  problem,
}: AuditRun): Presented<typeof auditRun> => ({
  id,
  kind,
  startedAt,
  finishedAt,
  events,
  streams,
  checkpoints,
  problem: problem && {
    kind: problem.kind,
    stream: problem.stream,
    revision: problem.revision,
    words: problem.words,
  },
});

/** How the audit of the log stands. */
export const presentAudit = (
  { follower, events, lastCheckpoint, running, runs }: AuditorStanding,
  publicKeyPem: string,
): Presented<typeof auditAnswer> => ({
  state: follower.state,
  reason: follower.reason,
  events,
  running,
  lastCheckpoint: lastCheckpoint && {
    at: lastCheckpoint.at,
    count: lastCheckpoint.count,
    rollingHash: lastCheckpoint.rollingHash,
    position: lastCheckpoint.position,
    baseline: lastCheckpoint.baseline,
    signature: lastCheckpoint.signature,
  },
  publicKeyPem,
  runs: runs.map(presentRun),
});

/** The retention schedule. */
export const presentRetention = (lines: readonly RetentionLine[]): Presented<typeof retentionAnswer> => ({
  lines: lines.map(({ subject, rule, dataClass, trigger, afterSeconds, decidedBy, doneBy }) => ({
    subject,
    rule,
    dataClass,
    trigger,
    afterSeconds,
    decidedBy,
    doneBy,
  })),
});

/** The record of processing activities, with who is responsible. */
export const presentProcessing = (
  { tradingName, supportEmail, postalAddress, companyNumber }: CompanyDetails,
  { transfers, security, activities }: ProcessingRecord,
): Presented<typeof processingAnswer> => ({
  controller: { tradingName, supportEmail, postalAddress, companyNumber },
  transfers,
  security,
  activities: activities.map(({ name, purpose, lawfulBasis, people, data, recipients, endedBy }) => ({
    name,
    purpose,
    lawfulBasis,
    people,
    data,
    recipients,
    endedBy,
  })),
});
