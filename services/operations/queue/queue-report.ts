import { z } from "zod";
import { countParked } from "../../../infra/following/parked-streams.ts";
import type { JobsStanding } from "../../../infra/jobs/jobs.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { taskRules, tasksFollower } from "../../policies/tasks/task-list.ts";

const owedKind = z.object({
  kind: z.string(),
  owed: z.int(),
  due: z.int(),
  /** Null if none is due. */
  oldestSeconds: z.number().nullable(),
  mostTries: z.int(),
});
const followerRow = z.object({ name: z.string(), state: z.string() });

/** Tasks of one kind. `due` counts the overdue ones, `oldestSeconds` is the age of the first. */
type OwedKind = z.output<typeof owedKind>;

/** Outstanding work: in the queue, which is a hint, and on the task list, which is derived from the log. */
type QueueReport = {
  readonly jobs: JobsStanding;
  readonly tasks: readonly OwedKind[];
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
  const [standing, tasks, followers, parked] = await Promise.all([
    jobs.standing(),
    pool.query(
      `select kind, count(*)::int as owed, count(*) filter (where due_at <= now())::int as due,
              extract(epoch from now() - min(due_at) filter (where due_at <= now()))::float8 as "oldestSeconds",
              max(tries)::int as "mostTries"
       from duties group by kind order by kind`,
    ),
    pool.query("select name, state from follower_checkpoints where state = 'stopped' order by name"),
    countParked(pool, [tasksFollower(taskRules)]),
  ]);
  return {
    jobs: standing,
    tasks: z.array(owedKind).parse(tasks.rows),
    stopped: z
      .array(followerRow)
      .parse(followers.rows)
      .map(({ name }) => name),
    parked,
  };
}

/** Whether nothing is due or running. Later tasks do not count. */
export const isDrained = ({ jobs, tasks }: QueueReport): boolean =>
  jobs.waiting + jobs.active === 0 && tasks.every(({ due }) => due === 0);

export function wordsOf({ jobs, tasks, stopped, parked }: QueueReport, now: Date): string {
  const { waiting, delayed, active, oldestWaiting } = jobs;
  const age = oldestWaiting
    ? ` (the oldest for ${seconds((now.getTime() - oldestWaiting.getTime()) / 1000)})`
    : "";
  const table = [
    ["owed", "in all", "due now", "oldest", "tries"],
    ...tasks.map(({ kind, owed, due, oldestSeconds, mostTries }) => [
      kind,
      String(owed),
      String(due),
      oldestSeconds === null ? "-" : seconds(oldestSeconds),
      String(mostTries),
    ]),
  ];
  return [
    `Jobs: ${waiting} waiting${age}, ${active} running, ${delayed} scheduled.`,
    ...(tasks.length === 0 ? ["No outstanding tasks."] : table.map(inColumns)),
    ...stopped.map((name) => `Follower ${name} has stopped: see /readyz. Its new tasks are missing here.`),
    ...(parked === 0
      ? []
      : [
          `Orders and tickets that cannot be read: ${parked}. Their new tasks are missing here: npm run streams:retry -- --list.`,
        ]),
  ].join("\n");
}

const inColumns = ([first = "", ...others]: string[]): string =>
  first.padEnd(20) + others.map((cell) => cell.padStart(9)).join("");

const seconds = (count: number): string => `${Math.max(0, Math.round(count)).toLocaleString("en-GB")} s`;
