import { z } from "zod";
import type { Order } from "../../../domain/order/state.ts";
import { owed } from "../../../domain/order/tasks/owed.ts";
import type { Task, TaskSettings } from "../../../domain/order/tasks/task.ts";
import type { FollowerKey } from "../../../infra/following/lease.ts";
import { type Client, givenUpAfter, type Pool } from "../../../infra/postgres/pool.ts";
import type { AnyTask } from "../subject.ts";

/** A listed task: enough to name its job. */
export type ListedTask = { subjectId: string; name: string; kind: AnyTask["kind"]; dueAt: Date };

/**
 * Version of the rules that derive tasks. Raise it when they change: the tasks of every order and ticket are then
 * derived again alongside new events, and processes of the previous build leave alone what the newer rules listed.
 */
export const taskRules = 8;

/** The follower that derives the list from the log, under one version of the rules. */
export const tasksFollower = (rules: number = taskRules): FollowerKey => ({
  name: "duties",
  version: rules,
});

/** Outstanding tasks as of the last event read: the hint for jobs and sweep. The log alone decides. */
export type TaskList = {
  /** Adds missing tasks, and brings forward those listed later than due. */
  addMissing(subjectId: string, tasks: readonly AnyTask[], now: Date): Promise<void>;
  /** Tasks due for a check, longest waiting first. */
  toLookAt(now: Date, limit: number): Promise<ListedTask[]>;
  /** Purges due since a moment, longest due first, however much else waits. */
  latePurges(now: Date, dueSince: Date, limit: number): Promise<ListedTask[]>;
  /** Removes a task. The caller must have seen that it no longer applies: it is not listed again. */
  settle(subjectId: string, name: string): Promise<void>;
  /** Checks again after 15 s, then more rarely, up to 5 minutes. A purge every 10 s. */
  postpone(subjectId: string, name: string, now: Date): Promise<void>;
  /** Checks it when due, which turned out to be later than listed. */
  awaitDue(subjectId: string, name: string, dueAt: Date): Promise<void>;
  /** Keeps sweeps from a task that is being performed. False if it is not listed, or would not be looked at yet. */
  hold(subjectId: string, name: string, times: HoldTimes): Promise<boolean>;
  /** Purges of applications that are due or have failed, oldest first. */
  openPurges(now: Date, limit: number): Promise<ListedTask[]>;
};

/** `heldUntil`: as this caller has held it before, which can then be prolonged. */
type HoldTimes = { readonly now: Date; readonly until: Date; readonly heldUntil: Date | undefined };

/** Several tries must fit into the time for which a task is held. */
const holdsWithinMs = 2_000;

/** However long a disk was unavailable, purges finish within half a minute of its return. */
const purgeLookSeconds = 10;

/** The tasks of an order or ticket, as derived. */
export type Derived = { readonly subjectId: string; readonly tasks: readonly AnyTask[] };

/**
 * Replaces the tasks of orders and tickets, in one statement that leaves unchanged entries alone.
 * @returns what was added or is due at another time
 */
export async function listTasks(
  client: Client,
  derived: readonly Derived[],
  now: Date,
  rules: number = taskRules,
): Promise<readonly ListedTask[]> {
  if (derived.length === 0) return [];
  const subjectIds = derived.map(({ subjectId }) => subjectId);
  const { rows } = await client.query<ListedTask>({
    name: "list-tasks",
    text: `with gone as (
             delete from duties where subject_id = any($8::uuid[]) and rules <= $1 and not exists (
               select from unnest($2::uuid[], $3::text[]) as owed (subject_id, name)
               where owed.subject_id = duties.subject_id and owed.name = duties.name)
           ) ${insertText("<>")} returning subject_id as "subjectId", name, kind, due_at as "dueAt"`,
    values: [...insertValues(derived, now, rules), subjectIds],
  });
  return rows;
}

/** Listed tickets to be purged together with the contact data of one of these orders. */
export async function followersOf(
  client: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> },
  orderIds: readonly string[],
): Promise<string[]> {
  if (orderIds.length === 0) return [];
  const text = "select distinct subject_id from duties where follows = any($1::uuid[])";
  const { rows } = await client.query(text, [orderIds]);
  return followers.parse(rows).map(({ subject_id }) => subject_id);
}

const followers = z.array(z.object({ subject_id: z.uuid() }));

export function createTaskList(pool: Pool, rules: number = taskRules): TaskList {
  const select = `select subject_id as "subjectId", name, kind, due_at as "dueAt" from duties`;
  return {
    addMissing: (subjectId, tasks, now) => addMissingTasks(pool, subjectId, tasks, now, rules),
    toLookAt: async (now, limit) => {
      const text = `${select} where look_at <= $1 order by look_at, due_at limit $2`;
      return (await pool.query<ListedTask>(text, [now, limit])).rows;
    },
    latePurges: async (now, dueSince, limit) => {
      const text = `${select} where look_at <= $1 and kind = 'purge' and due_at <= $2 order by due_at limit $3`;
      return (await pool.query<ListedTask>(text, [now, dueSince, limit])).rows;
    },
    settle: async (subjectId, name) => {
      const text = "delete from duties where subject_id = $1 and name = $2 and rules <= $3";
      await pool.query(text, [subjectId, name, rules]);
    },
    postpone: async (subjectId, name, now) => {
      // A job is tried four times before it fails, so four tries make one step.
      await pool.query(
        `update duties set tries = tries + 1, look_at = $3::timestamptz + interval '1 second'
           * case kind when 'purge' then $4 else least(300, 15 * 2 ^ least(tries / 4, 5)) end
         where subject_id = $1 and name = $2`,
        [subjectId, name, now, purgeLookSeconds],
      );
    },
    awaitDue: async (subjectId, name, dueAt) => {
      await pool.query(
        "update duties set due_at = $3, look_at = $3 where subject_id = $1 and name = $2 and rules <= $4",
        [subjectId, name, dueAt, rules],
      );
    },
    hold: async (subjectId, name, { now, until, heldUntil }) => {
      // One that failed meanwhile was postponed, and must not wait longer.
      const text = `update duties set look_at = $4
                    where subject_id = $1 and name = $2 and (look_at <= $3 or look_at = $5)`;
      const values = [subjectId, name, now, until, heldUntil];
      return (await pool.query(givenUpAfter(holdsWithinMs, text, values))).rowCount === 1;
    },
    openPurges: async (now, limit) => {
      // A retried purge ends in a number other than 1, and is due again.
      const text = `${select} where kind = 'purge' and name like 'purge-application-%'
                      and (due_at <= $1 or name not like '%-1') order by due_at limit $2`;
      return (await pool.query<ListedTask>(text, [now, limit])).rows;
    },
  };
}

/** Adds missing tasks of one order or ticket, and brings forward those listed later than due. */
export async function addMissingTasks(
  database: Client | Pool,
  subjectId: string,
  tasks: readonly AnyTask[],
  now: Date,
  rules: number,
): Promise<void> {
  await database.query(insertText(">"), insertValues([{ subjectId, tasks }], now, rules));
}

/** @param changedWhen how the time on the list compares with the one owed, for an entry to be changed */
const insertText = (changedWhen: "<>" | ">") =>
  `insert into duties (subject_id, name, kind, due_at, look_at, rules, follows)
   select subject_id, name, kind, due_at, look_at, $1, follows
   from unnest($2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::uuid[])
     as owed (subject_id, name, kind, due_at, look_at, follows)
   on conflict (subject_id, name) do update
   set due_at = excluded.due_at, look_at = excluded.look_at, rules = excluded.rules, follows = excluded.follows
   where duties.rules < excluded.rules
      or (duties.rules = excluded.rules and (duties.due_at ${changedWhen} excluded.due_at
                                             or duties.follows is distinct from excluded.follows))`;

function insertValues(derived: readonly Derived[], now: Date, rules: number): unknown[] {
  const rows = derived.flatMap(({ subjectId, tasks }) => tasks.map((task) => ({ subjectId, task })));
  return [
    rules,
    rows.map(({ subjectId }) => subjectId),
    rows.map(({ task }) => task.name),
    rows.map(({ task }) => task.kind),
    rows.map(({ task }) => new Date(task.dueAt)),
    rows.map(({ task }) => firstLookAt(task, now)),
    rows.map(({ task }) => ("follows" in task ? task.follows : null)),
  ];
}

/**
 * When sweeps first look at a task that is being listed. A failed purge's recorded retry is due ever later, because each
 * writes an event; in between it is retried quietly. A task that is listed late, by a follower that waited for the log,
 * may be under way by now: it gets as long as others before a sweep takes it for lost.
 */
export function firstLookAt(task: AnyTask, now: Date): Date {
  const [dueMs, nowMs] = [Date.parse(task.dueAt), now.getTime()];
  const isRetry = task.kind === "purge" && task.attempt > 1;
  return new Date(Math.max(nowMs, isRetry ? Math.min(dueMs, nowMs + purgeLookSeconds * 1000) : dueMs));
}

/** An order's task. `lookAt` and `tries` are null until the task list holds it. */
export type OrderJob = {
  readonly task: Task;
  /** Next check, ISO 8601 in UTC. */
  readonly lookAt: string | null;
  readonly tries: number | null;
};

/** An order's tasks, derived from the order as the policies derive them; the list only adds their progress. */
export type OrderJobs = (order: Order) => Promise<OrderJob[]>;

type Progress = { name: string; lookAt: Date; tries: number };

export function createOrderJobs(parts: {
  pool: Pool;
  settings: () => TaskSettings;
  now: () => Date;
}): OrderJobs {
  return async (order) => {
    const text = `select name, look_at as "lookAt", tries from duties where subject_id = $1`;
    const { rows } = await parts.pool.query<Progress>(text, [order.orderId]);
    const listed = new Map(rows.map((progress) => [progress.name, progress]));
    return owed(order, parts.now().toISOString(), parts.settings()).map((task) => {
      const known = listed.get(task.name);
      return { task, lookAt: known?.lookAt.toISOString() ?? null, tries: known?.tries ?? null };
    });
  };
}

const purgeRow = z
  .object({ subject_id: z.uuid(), name: z.string(), kind: z.string(), due_at: z.date(), tries: z.int() })
  .transform(({ subject_id, due_at, ...rest }) => ({
    ...rest,
    subjectId: subject_id,
    dueAt: due_at.toISOString(),
  }));

/** A purge due for an order or a ticket. `dueAt` is ISO 8601 in UTC; `tries` counts failed attempts. */
export type OutstandingPurge = z.output<typeof purgeRow>;

export const outstandingPurges =
  (pool: Pool) =>
  async (limit: number): Promise<readonly OutstandingPurge[]> => {
    const { rows } = await pool.query(
      `select subject_id, name, kind, due_at, tries from duties
       where kind in ('purge', 'destroyRecord') order by due_at, subject_id, name limit $1`,
      [limit],
    );
    return z.array(purgeRow).parse(rows);
  };
