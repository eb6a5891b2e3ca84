import type { auditAnswer, auditRun, parkedAnswer } from "../../contract/compliance/audit.ts";
import type {
  accessLogAnswer,
  accessShown,
  dueAnswer,
  processingAnswer,
  purgeShown,
  purgesAnswer,
  retentionAnswer,
} from "../../contract/compliance/registers.ts";
import type { Presented } from "../../contract/request.ts";
import { placeText } from "../../contract/shapes.ts";
import type { CompanyDetails } from "../../domain/settings/settings-texts.ts";
import type { AuditRun } from "../../infra/audit/audit-records.ts";
import type { AuditorStanding } from "../../infra/audit/auditor.ts";
import type { AccessEntry } from "../../projections/registers/access-log.ts";
import type { PurgeEntry } from "../../projections/registers/purge-register.ts";
import type { Numbered, RegisterPage } from "../../projections/registers/register-queries.ts";
import type { ParkedRecord } from "../operations/streams/retry-parked.ts";
import type { OutstandingPurge } from "../policies/work/work-reads.ts";
import { presentCompany } from "../settings/present-settings.ts";
import type { ProcessingRecord, RetentionLine } from "./processing-record.ts";

type NameOf = (staffId: string) => string;

const next = ({ next }: RegisterPage<unknown>): string | null => next && placeText([next.at, next.eventId]);

/** One purge, one failed attempt, or one receipt that did not arrive. */
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

export const presentPurges = (page: RegisterPage<PurgeEntry>): Presented<typeof purgesAnswer> => ({
  purges: page.entries.map(presentPurge),
  next: next(page),
});

/** One access to personal data. */
export const presentAccess = (
  entry: Numbered<AccessEntry>,
  nameOf: NameOf,
): Presented<typeof accessShown> => ({
  id: entry.eventId,
  at: entry.at,
  staffId: entry.staffId,
  staffName: nameOf(entry.staffId),
  about: entry.subject.kind,
  number: entry.number,
  dataClass: entry.dataClass,
  reason: entry.reason,
});

export const presentAccessLog = (
  page: RegisterPage<AccessEntry>,
  nameOf: NameOf,
): Presented<typeof accessLogAnswer> => ({
  entries: page.entries.map((entry) => presentAccess(entry, nameOf)),
  next: next(page),
});

/** Personal data awaiting destruction, with due dates. */
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
    events: lastCheckpoint.events,
    root: lastCheckpoint.root,
  },
  publicKeyPem,
  runs: runs.map(presentRun),
});

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

/** The record of processing activities, with the controller. */
export const presentProcessing = (
  controller: CompanyDetails,
  { transfers, security, activities }: ProcessingRecord,
): Presented<typeof processingAnswer> => ({
  controller: presentCompany(controller),
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

/** Orders and tickets whose history needs repair, longest parked first. */
export const presentParked = (
  parked: readonly ParkedRecord[],
  numbers: ReadonlyMap<string, string>,
): Presented<typeof parkedAnswer> => ({
  parked: parked.map((record) => ({
    about: record.subject?.kind ?? null,
    number: numbers.get(record.subject?.id ?? "") ?? null,
    stream: record.stream,
    follower: record.name,
    reason: record.reason,
    revision: record.revision,
    since: record.since.toISOString(),
    tries: record.tries,
    triedAt: record.triedAt?.toISOString() ?? null,
    isAsked: record.isAsked,
    tasksDue: record.tasksDue,
  })),
});
