import { z } from "zod";
import type { Client, Pool } from "../postgres/pool.ts";
import type { AuditReport } from "./audit-log.ts";
import type { AuditProblem } from "./audit-problem.ts";
import { type DigestAt, emptyDigest } from "./log-digest.ts";

/**
 * One audit: `whole` read everything, `new-events` what came since the last verified checkpoint, `following` is an error
 * found while the log grew. Times are ISO 8601 in UTC.
 */
export type AuditRun = Pick<AuditReport, "events" | "streams" | "checkpoints" | "problem"> & {
  readonly id: string;
  readonly kind: "whole" | "new-events" | "following";
  readonly startedAt: string;
  readonly finishedAt: string;
};

/** The auditor's progress; the digest of an empty log before it began. */
export async function readDigest(client: Client | Pool): Promise<DigestAt> {
  const { rows } = await client.query<{
    count: string;
    rolling_hash: string;
    position: string;
    event_id: string;
  }>("select count, rolling_hash, position, event_id from audit_digest");
  const row = rows[0];
  return row
    ? {
        count: Number(row.count),
        rollingHash: row.rolling_hash,
        position: row.position,
        eventId: row.event_id,
      }
    : { ...emptyDigest, position: "", eventId: "" };
}

/** Held until the transaction ends: two processes must not append lines with the same predecessor. */
export async function lockDigest(client: Client): Promise<void> {
  await client.query("select 1 from audit_digest for update");
}

/** Call in the transaction that also moves the auditor's checkpoint. */
export async function writeDigest(client: Client, digest: DigestAt): Promise<void> {
  await client.query({
    name: "write-audit-digest",
    text: `insert into audit_digest (count, rolling_hash, position, event_id) values ($1, $2, $3, $4)
           on conflict (only_row) do update set count = excluded.count, rolling_hash = excluded.rolling_hash,
           position = excluded.position, event_id = excluded.event_id`,
    values: [digest.count, digest.rollingHash, digest.position, digest.eventId],
  });
}

export async function recordRun(pool: Pool, run: AuditRun): Promise<void> {
  await pool.query(
    `insert into audit_runs (id, kind, started_at, finished_at, events, streams, checkpoints, problem)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      run.id,
      run.kind,
      run.startedAt,
      run.finishedAt,
      run.events,
      run.streams,
      run.checkpoints,
      run.problem && JSON.stringify(run.problem),
    ],
  );
}

const problem: z.ZodType<AuditProblem> = z.object({
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
  stream: z.string().nullable(),
  revision: z.int().nullable(),
  words: z.string(),
});

const runRow = z
  .object({
    id: z.string(),
    kind: z.enum(["whole", "new-events", "following"]),
    started_at: z.date(),
    finished_at: z.date(),
    events: z.coerce.number(),
    streams: z.coerce.number(),
    checkpoints: z.coerce.number(),
    problem: problem.nullable(),
  })
  .transform(
    ({ started_at, finished_at, ...rest }): AuditRun => ({
      ...rest,
      startedAt: started_at.toISOString(),
      finishedAt: finished_at.toISOString(),
    }),
  );

/** Newest first; every kind when none is given. */
export async function readRuns(pool: Pool, limit: number, kind?: AuditRun["kind"]): Promise<AuditRun[]> {
  const { rows } = await pool.query(
    `select id, kind, started_at, finished_at, events, streams, checkpoints, problem
     from audit_runs where $2::text is null or kind = $2 order by finished_at desc, id desc limit $1`,
    [limit, kind],
  );
  return z.array(runRow).parse(rows);
}
