import { z } from "zod";
import type { Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { readReach } from "../transparency/tree-records.ts";
import type { AuditReport } from "./audit-log.ts";
import { type AuditProblem, auditProblemKinds } from "./audit-problem.ts";

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
  kind: z.enum(auditProblemKinds),
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

/** Newest first. */
export const readRuns = (pool: Pool, limit: number): Promise<AuditRun[]> =>
  selectRuns(pool, "true order by finished_at desc, id desc limit $1", [limit]);

/** The newest run of all, and the newest whole one. */
export type DecisiveRuns = Readonly<Record<"newest" | "whole", AuditRun | undefined>>;

/** Without those that were recorded while the clock was ahead: they would count as the newest for long. */
export async function readDecisiveRuns(pool: Pool, now: Date): Promise<DecisiveRuns> {
  const newestOf = async (which: string) => {
    const [run] = await selectRuns(
      pool,
      `finished_at <= $1 and ${which} order by finished_at desc, id desc limit 1`,
      [now],
    );
    return run;
  };
  return { newest: await newestOf("true"), whole: await newestOf("kind = 'whole'") };
}

/** What is wrong with the log. What a whole audit found lasts until a whole one finds nothing. */
export const standingProblem = ({ newest, whole }: DecisiveRuns): AuditProblem | null =>
  whole?.problem ?? newest?.problem ?? null;

async function selectRuns(pool: Pool, which: string, values: readonly unknown[]): Promise<AuditRun[]> {
  const { rows } = await pool.query(
    `select id, kind, started_at, finished_at, events, streams, checkpoints, problem
     from audit_runs where ${which}`,
    [...values],
  );
  return z.array(runRow).parse(rows);
}

/** What is found while the log grows, without an audit: each problem is recorded once, and raises an alarm. */
export function createFindings(options: {
  readonly pool: Pool;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
}): (problem: AuditProblem) => Promise<void> {
  const { pool, now, newId, log } = options;
  const reported = new Set<string>();
  return async (problem) => {
    // A stopped follower is retried at each start, and what is not signed is looked at every minute.
    if (reported.has(problem.words)) return;
    reported.add(problem.words);
    log.error({ kind: problem.kind, stream: problem.stream }, "ALARM: the log was changed");
    const at = now().toISOString();
    const { size: events } = await readReach(pool);
    const counted = { events, streams: 0, checkpoints: 0, problem };
    await recordRun(pool, { id: newId(), kind: "following", startedAt: at, finishedAt: at, ...counted });
  };
}
