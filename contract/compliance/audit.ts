import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { answers, auditors, begins, get, managers, post } from "../request.ts";

const auditProblem = z.object({
  kind: z.enum([
    "event-changed",
    "event-missing",
    "event-inserted",
    "events-reordered",
    "cut-short",
    "chain-rewritten",
    "tree-forked",
    "checkpoint-rolled-back",
    "tile-damaged",
    "chain-broken",
    "differs-from-checkpoint",
    "other-log",
    "checkpoints-broken",
  ]),
  stream: z.nullable(z.string()),
  revision: z.nullable(z.int()),
  words: z.string(),
});

export const auditRun = z.object({
  id: z.string(),
  kind: z.enum(["whole", "new-events", "following"]),
  startedAt: field.instant,
  finishedAt: field.instant,
  events: field.count,
  streams: field.count,
  checkpoints: field.count,
  problem: z.nullable(auditProblem),
});

/** The transparency log's newest checkpoint. */
const checkpointShown = z.object({
  at: field.instant,
  events: field.count,
  /** Of the tree over those events, in hex. */
  root: z.string(),
});

export const auditAnswer = z
  .object({
    state: z.enum(["following", "standby", "stopped"]),
    reason: z.nullable(z.string()),
    events: field.count,
    running: z.nullable(field.count),
    lastCheckpoint: z.nullable(checkpointShown),
    publicKeyPem: z.string(),
    runs: z.array(auditRun),
  })
  .register(z.globalRegistry, { id: "AuditOfTheLog" });

const parkedShown = z.object({
  /** Null for a stream of anything else. */
  about: z.nullable(z.enum(["order", "ticket", "draft"])),
  number: z.nullable(z.string()),
  stream: z.string(),
  /** The follower that parked it. */
  follower: z.string(),
  reason: z.enum(["changed", "chain-broken", "unknown-type", "invalid-event", "fold-failed", "row-refused"]),
  revision: field.count,
  since: field.instant,
  tries: field.count,
  triedAt: z.nullable(field.instant),
  /** Whether a retry is about to start. */
  isAsked: z.boolean(),
  tasksDue: field.count,
});

export const parkedAnswer = z
  .object({ parked: z.array(parkedShown) })
  .register(z.globalRegistry, { id: "ParkedRecords" });

export const showAudit = get("/api/admin/compliance/audit", {
  summary: "State of the log's audit",
  from: auditors,
  limit: "reads",
  answers: answers(auditAnswer),
});

/** Reads the whole log and changes nothing, so the roles that see the result may start it. */
export const startAudit = post("/api/admin/compliance/audit", {
  summary: "Read and verify the whole log",
  from: auditors,
  limit: "contact",
  answers: begins(auditAnswer),
});

export const listParked = get("/api/admin/compliance/parked", {
  summary: "Orders and tickets whose history needs repair",
  from: auditors,
  limit: "reads",
  answers: answers(parkedAnswer),
});

export const retryParked = post("/api/admin/compliance/parked/retry", {
  summary: "Retry the parked orders and tickets",
  from: managers,
  limit: "contact",
  answers: begins(parkedAnswer),
});

export type Audit = z.output<typeof auditAnswer>;
export type AuditRun = z.output<typeof auditRun>;
export type ParkedRecord = z.output<typeof parkedShown>;
