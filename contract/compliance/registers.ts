import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { staffId } from "../../domain/fields.ts";
import {
  dataClass,
  probeResult,
  purgeFailureCode,
  revealable,
  revealReason,
} from "../../domain/order/vocabulary.ts";
import { startOfDay } from "../../domain/promise/london-time.ts";
import { companyDetails } from "../../domain/settings/settings-texts.ts";
import { originalRevealReason } from "../../domain/ticket/vocabulary.ts";
import { answers, auditors, file, fileOf, get } from "../request.ts";
import { afterPlace, anyDestroyed, anyRule, endOfDay, givenInstant, listDay, perPage } from "../shapes.ts";

const about = z.enum(["order", "ticket"]);

/** Why staff looked at personal data. */
export const accessReasons = [...new Set([...revealReason.options, ...originalRevealReason.options])];

/** A saved draft has no number. */
const aboutAny = z.enum([...about.options, "draft"]);

const number = z.nullable(z.string());

export const purgeShown = z.object({
  id: z.string(),
  at: field.instant,
  about: aboutAny,
  number,
  dataClass,
  /** `unreceived`: the mail with the receipt of a deletion did not arrive. */
  outcome: z.enum(["purged", "failed", "unreceived"]),
  rule: z.nullable(anyRule),
  destroyed: z.array(anyDestroyed),
  records: field.count,
  keyFingerprint: z.nullable(field.keyFingerprint),
  probe: z.nullable(probeResult),
  secondsSinceSubmission: z.nullable(z.number()),
  code: z.nullable(purgeFailureCode),
});

export const purgesAnswer = z
  .object({ purges: z.array(purgeShown), next: z.nullable(z.string()) })
  .register(z.globalRegistry, { id: "PurgeRegister" });

export const accessShown = z.object({
  id: z.string(),
  at: field.instant,
  staffId: z.string(),
  staffName: z.string(),
  about: aboutAny,
  number,
  dataClass: revealable,
  reason: z.enum(accessReasons),
});

export const accessLogAnswer = z
  .object({ entries: z.array(accessShown), next: z.nullable(z.string()) })
  .register(z.globalRegistry, { id: "AccessLog" });

/** A register as CSV, with the filters that made it. */
export const exportedTable = z.object({
  name: z.string(),
  /** The filters that were applied; empty for the whole register. */
  only: z.record(z.string(), z.unknown()),
  /** ISO 8601 in UTC. */
  madeAt: z.string(),
  rows: z.int(),
  csv: z.string(),
});

/** A register whose signature can be verified offline, without our system. */
export const signedExport = z
  .extend(exportedTable, {
    /** Hex, over the bytes of `csv` in UTF-8. */
    sha256: z.string(),
    /** The signed text: the fields above as lines, with the digest in place of the table. */
    statement: z.string(),
    /** RSA with SHA-256 over the bytes of `statement`, in base64. */
    signature: z.string(),
    publicKeyPem: z.string(),
    howToCheck: z.string(),
  })
  .register(z.globalRegistry, {
    id: "SignedExport",
    description: "A register as CSV, signed: the signature can be verified offline, without our system",
  });

const place = z.pipe(
  z.tuple([givenInstant, field.id]),
  z.transform(([at, eventId]) => ({ at, eventId })),
);

const page = {
  /** Days in London, both included. */
  from: z.pipe(
    listDay,
    z.transform((day) => day && startOfDay(day)),
  ),
  to: z.pipe(
    listDay,
    z.transform((day) => day && endOfDay(day)),
  ),
  limit: perPage,
  after: afterPlace(place),
};

const filtersOfPurges = {
  ...page,
  dataClass: z.optional(dataClass),
  rule: z.optional(z.enum(anyRule.options, "There is no such rule")),
  troubled: z.optional(
    z.pipe(
      z.literal("1", "Use 1"),
      z.transform(() => true),
    ),
  ),
};

const filtersOfAccess = {
  ...page,
  staffId: z.optional(staffId),
  reason: z.optional(z.enum(accessReasons, "There is no such reason")),
};

export const listPurges = get("/api/admin/compliance/purges", {
  summary: "The purge register",
  from: auditors,
  limit: "reads",
  query: z.object(filtersOfPurges),
  answers: answers(purgesAnswer),
});

export const listAccess = get("/api/admin/compliance/access", {
  summary: "The log of access to personal data",
  from: auditors,
  limit: "reads",
  query: z.object(filtersOfAccess),
  answers: answers(accessLogAnswer),
});

export const exportRegister = get("/api/admin/compliance/export", {
  summary: "A register as a signed file",
  from: auditors,
  limit: "reads",
  withinSeconds: 60,
  query: z.discriminatedUnion("register", [
    z.object({ ...filtersOfPurges, register: z.literal("purges") }),
    z.object({ ...filtersOfAccess, register: z.literal("access") }),
  ]),
  answers: fileOf(signedExport),
});

export const exportPurgeProofs = get("/api/admin/compliance/purge-proofs", {
  summary: "Proofs that purges are on record in the transparency log, with one checkpoint",
  from: auditors,
  limit: "reads",
  withinSeconds: 60,
  query: z.object({
    ...filtersOfPurges,
    /** One entry of the register: its proof alone, as a C2SP tlog-proof. */
    id: z.optional(field.id),
  }),
  answers: file("text/plain"),
  refuses: ["not-found", "proof-not-ready"],
});

export type Purge = z.output<typeof purgeShown>;
export type AccessLogEntry = z.output<typeof accessShown>;

export const dueAnswer = z
  .object({
    due: z.array(
      z.object({ name: z.string(), number, kind: z.string(), dueAt: field.instant, tries: field.count }),
    ),
  })
  .register(z.globalRegistry, { id: "DuePurges" });

export const retentionAnswer = z
  .object({
    lines: z.array(
      z.object({
        subject: aboutAny,
        rule: anyRule,
        dataClass,
        trigger: z.string(),
        afterSeconds: field.count,
        decidedBy: z.string(),
        doneBy: z.string(),
      }),
    ),
  })
  .register(z.globalRegistry, { id: "RetentionSchedule" });

const activity = z.object({
  name: z.string(),
  purpose: z.string(),
  lawfulBasis: z.string(),
  people: z.string(),
  data: z.array(z.string()),
  recipients: z.array(z.string()),
  endedBy: z.array(z.string()),
});

export const processingAnswer = z
  .object({
    controller: companyDetails,
    transfers: z.string(),
    security: z.array(z.string()),
    activities: z.array(activity),
  })
  .register(z.globalRegistry, { id: "ProcessingRecord" });

export const listDuePurges = get("/api/admin/compliance/due", {
  summary: "Personal data awaiting destruction, with due dates",
  from: auditors,
  limit: "reads",
  answers: answers(dueAnswer),
});

export const showRetention = get("/api/admin/compliance/retention", {
  summary: "The retention schedule",
  from: auditors,
  limit: "reads",
  answers: answers(retentionAnswer),
});

export const showProcessing = get("/api/admin/compliance/processing", {
  summary: "The record of processing activities",
  from: auditors,
  limit: "reads",
  answers: answers(processingAnswer),
});

export type ProcessingRecord = z.output<typeof processingAnswer>;
export type DuePurge = z.output<typeof dueAnswer>["due"][number];
export type RetentionLine = z.output<typeof retentionAnswer>["lines"][number];
