import type { AuditRun } from "../../../infra/audit/audit-records.ts";
import type { AuditorStanding } from "../../../infra/audit/auditor.ts";
import type { AccessEntry } from "../../../projections/access-log.ts";
import type { PurgeEntry } from "../../../projections/purge-register.ts";
import type { Numbered, RegisterPage } from "../../../projections/register-queries.ts";
import type { RetentionLine } from "../../compliance/retention-schedule.ts";
import type { OutstandingPurge } from "../../policies/outstanding-purges.ts";
import { cursorOf } from "../admin-routes/compliance-requests.ts";

type NameOf = (staffId: string) => string;

const next = ({ next }: RegisterPage<unknown>): string | null => next && cursorOf(next);

/** One purge, or one failure of it. */
export const presentPurge = (entry: Numbered<PurgeEntry>) => ({
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
export const presentPurges = (page: RegisterPage<PurgeEntry>) => ({
  purges: page.entries.map(presentPurge),
  next: next(page),
});

/** One look at personal data. */
export const presentLook = (entry: Numbered<AccessEntry>, nameOf: NameOf) => ({
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
export const presentLooks = (page: RegisterPage<AccessEntry>, nameOf: NameOf) => ({
  looks: page.entries.map((entry) => presentLook(entry, nameOf)),
  next: next(page),
});

/** What is to be destroyed, and by when. */
export const presentDue = (due: readonly OutstandingPurge[], numbers: ReadonlyMap<string, string>) => ({
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
}: AuditRun) => ({
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
) => ({
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
export const presentRetention = (lines: readonly RetentionLine[]) => ({
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
