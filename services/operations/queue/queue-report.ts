import { z } from "zod";
import { countParked } from "../../../infra/following/parked-streams.ts";
import type { JobsStanding } from "../../../infra/jobs/jobs.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { taskRules, tasksFollower } from "../../policies/work/work-table.ts";

const owedKind = z.object({
  kind: z.string(),
  owed: z.int(),
  due: z.int(),
  /** Null if none is due. */
  oldestSeconds: z.number().nullable(),
  mostTries: z.int(),
});
const worker = z.object({
  id: z.uuid(),
  startedSeconds: z.number(),
  owned: z.int(),
});
const ownedSubject = z.object({
  subjectId: z.uuid(),
  worker: z.uuid(),
  seconds: z.number(),
  tries: z.int(),
});
const followerRow = z.object({ name: z.string(), state: z.string() });

/** Subjects shown of those that are owned, the longest first. */
const mostOwnedShown = 20;

/** Outstanding work: what is owed, who owns what since when, and the jobs that wake workers. */
type QueueReport = {
  readonly jobs: JobsStanding;
  /** By kind. `due` counts the overdue ones, `oldestSeconds` is the age of the first. */
  readonly tasks: readonly z.output<typeof owedKind>[];
  readonly workers: readonly z.output<typeof worker>[];
  /** Those owned for longest. */
  readonly owned: readonly z.output<typeof ownedSubject>[];
  /** Names of stopped followers, whose new tasks are missing here. */
  readonly stopped: readonly string[];
  /** Number of unreadable orders and tickets, whose new tasks are missing here too. */
  readonly parked: number;
};

/** Read-only. */
export async function readQueue(
  pool: Pool,
  jobs: { standing(): Promise<JobsStanding> },
): Promise<QueueReport> {
  const [standing, tasks, workers, owned, followers, parked] = await Promise.all([
    jobs.standing(),
    pool.query(
      `select task ->> 'kind' as kind, count(*)::int as owed, count(*) filter (where at <= now())::int as due,
              extract(epoch from now() - min(at) filter (where at <= now()))::float8 as "oldestSeconds",
              max(coalesce((retries -> (task ->> 'name') ->> 'tries')::int, 0)) as "mostTries"
       from work, jsonb_array_elements(tasks) as task, lateral (select (task ->> 'dueAt')::timestamptz as at) as due
       group by 1 order by 1`,
    ),
    pool.query(
      `select id, extract(epoch from now() - started_at)::float8 as "startedSeconds", count(subject_id)::int as owned
       from workers left join work on owner = id group by id order by started_at, id`,
    ),
    pool.query(
      `select subject_id as "subjectId", owner as worker, extract(epoch from now() - owned_since)::float8 as seconds,
              coalesce((select max((value ->> 'tries')::int) from jsonb_each(retries)), 0) as tries
       from work where owner is not null order by owned_since, subject_id limit $1`,
      [mostOwnedShown],
    ),
    pool.query("select name, state from follower_checkpoints where state = 'stopped' order by name"),
    countParked(pool, [tasksFollower(taskRules)]),
  ]);
  return {
    jobs: standing,
    tasks: z.array(owedKind).parse(tasks.rows),
    workers: z.array(worker).parse(workers.rows),
    owned: z.array(ownedSubject).parse(owned.rows),
    stopped: z
      .array(followerRow)
      .parse(followers.rows)
      .map(({ name }) => name),
    parked,
  };
}

/** Whether nothing is due. Later tasks do not count. */
export const isDrained = ({ tasks }: QueueReport): boolean => tasks.every(({ due }) => due === 0);

/**
 * Makes a worker let go: its subjects pass to an id under which nobody works, so that others take them by the rule for
 * dead workers, once this one has stopped beginning anything. It goes on under a new id.
 * @returns whether there was such a worker
 */
export async function letGo(pool: Pool, workerId: string): Promise<boolean> {
  const { rowCount } = await pool.query("update workers set id = gen_random_uuid() where id = $1", [
    workerId,
  ]);
  return rowCount === 1;
}

export function wordsOf({ jobs, tasks, workers, owned, stopped, parked }: QueueReport, now: Date): string {
  const { waiting, active, oldestWaiting } = jobs;
  const age = oldestWaiting
    ? ` (the oldest for ${seconds((now.getTime() - oldestWaiting.getTime()) / 1000)})`
    : "";
  const owedRows = tasks.map(({ kind, owed, due, oldestSeconds, mostTries }) => [
    kind,
    String(owed),
    String(due),
    oldestSeconds === null ? "-" : seconds(oldestSeconds),
    String(mostTries),
  ]);
  const workerRows = workers.map((each) => [each.id, String(each.owned), seconds(each.startedSeconds)]);
  const ownedRows = owned.map((each) => [
    each.subjectId,
    seconds(each.seconds),
    String(each.tries),
    each.worker,
  ]);
  return [
    ...(tasks.length === 0
      ? ["No outstanding tasks."]
      : inColumns(["owed", "in all", "due now", "oldest", "tries"], owedRows, 20)),
    ...(workers.length === 0
      ? ["No worker is running."]
      : inColumns(["worker", "owns", "for"], workerRows, 36)),
    ...(owned.length === 0 ? [] : inColumns(["owned", "for", "tries", "worker"], ownedRows, 36)),
    `Jobs that wake workers: ${waiting} waiting${age}, ${active} running.`,
    ...stopped.map((name) => `Follower ${name} has stopped: see /readyz. Its new tasks are missing here.`),
    ...(parked === 0
      ? []
      : [
          `Orders and tickets that cannot be read: ${parked}. Their new tasks are missing here: npm run streams:retry -- --list.`,
        ]),
  ].join("\n");
}

const inColumns = (head: string[], rows: string[][], width: number): string[] =>
  [head, ...rows].map(([first = "", ...others]) =>
    [first.padEnd(width), ...others.map((cell) => cell.padStart(9))].join(" ").trimEnd(),
  );

const seconds = (count: number): string => `${Math.max(0, Math.round(count)).toLocaleString("en-GB")} s`;
