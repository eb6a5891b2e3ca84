import { z } from "zod";
import type { FollowerKey } from "../../../infra/following/lease.ts";
import type { Client, Pool } from "../../../infra/postgres/pool.ts";
import type { AnyTask } from "../subject.ts";

/** A listed task: enough to name its job. */
export type ListedTask = { subjectId: string; name: string; kind: AnyTask["kind"]; dueAt: Date };

/**
 * Version of the rules that derive tasks. Raise it when they change: the tasks of every order and ticket are then
 * derived again alongside new events, and processes of the previous build leave alone what the newer rules listed.
 */
export const taskRules = 4;

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
  /** Purges of applications that are due or have failed, oldest first. */
  openPurges(now: Date, limit: number): Promise<ListedTask[]>;
};

/** However long a disk was unavailable, purges finish within half a minute of its return. */
const purgeLookSeconds = 10;

/** Replaces the tasks of one order or ticket, leaving unchanged entries alone. */
export async function listTasks(
  client: Client,
  subjectId: string,
  tasks: readonly AnyTask[],
  now: Date,
  rules: number = taskRules,
): Promise<void> {
  await client.query("delete from duties where subject_id = $1 and name <> all($2) and rules <= $3", [
    subjectId,
    tasks.map(({ name }) => name),
    rules,
  ]);
  await insert(client, subjectId, tasks, now, rules, "<>");
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
      const text = `${select} where look_at <= $1 order by look_at limit $2`;
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
    openPurges: async (now, limit) => {
      // A retried purge ends in a number other than 1, and is due again.
      const text = `${select} where kind = 'purge' and name like 'purge-application-%'
                      and (due_at <= $1 or name not like '%-1') order by due_at limit $2`;
      return (await pool.query<ListedTask>(text, [now, limit])).rows;
    },
  };
}

/** Adds missing tasks of one order or ticket, and brings forward those listed later than due. */
export const addMissingTasks = (
  database: Client | Pool,
  subjectId: string,
  tasks: readonly AnyTask[],
  now: Date,
  rules: number,
): Promise<void> => insert(database, subjectId, tasks, now, rules, ">");

async function insert(
  database: Client | Pool,
  subjectId: string,
  tasks: readonly AnyTask[],
  now: Date,
  rules: number,
  changedWhenListed: "<>" | ">",
): Promise<void> {
  await database.query(
    `insert into duties (subject_id, name, kind, due_at, look_at, rules, follows)
     select $1, name, kind, due_at, look_at, $6, follows
     from unnest($2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $7::uuid[])
       as owed (name, kind, due_at, look_at, follows)
     on conflict (subject_id, name) do update
     set due_at = excluded.due_at, look_at = excluded.look_at, rules = excluded.rules, follows = excluded.follows
     where duties.rules < excluded.rules
        or (duties.rules = excluded.rules and (duties.due_at ${changedWhenListed} excluded.due_at
                                               or duties.follows is distinct from excluded.follows))`,
    [
      subjectId,
      tasks.map(({ name }) => name),
      tasks.map(({ kind }) => kind),
      tasks.map(({ dueAt }) => new Date(dueAt)),
      tasks.map((task) => lookAt(task, now)),
      rules,
      tasks.map((task) => ("follows" in task ? task.follows : null)),
    ],
  );
}

/**
 * A failed purge's recorded retry is due ever later, because each writes an event; in between it is retried quietly.
 */
function lookAt(task: AnyTask, now: Date): Date {
  const dueMs = Date.parse(task.dueAt);
  const isRetry = task.kind === "purge" && task.attempt > 1;
  return new Date(isRetry ? Math.min(dueMs, now.getTime() + purgeLookSeconds * 1000) : dueMs);
}
