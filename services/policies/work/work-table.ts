import { z } from "zod";
import type { FollowerKey } from "../../../infra/following/lease.ts";
import { type Client, givenUpAfter, type Pool } from "../../../infra/postgres/pool.ts";
import type { AnyTask } from "../subject.ts";

/**
 * Version of the rules that derive tasks. Raise it when they change: the tasks of every order, ticket and draft are then
 * derived again alongside new events, and processes of the previous build leave alone what the newer rules derived.
 */
export const taskRules = 14;

/** The follower that derives the rows from the log, under one version of the rules. */
export const tasksFollower = (rules: number = taskRules): FollowerKey => ({ name: "work", version: rules });

/** What a subject (an order, a ticket, a draft) is owed, as derived from the log. */
export type Derived = { readonly subjectId: string; readonly tasks: readonly AnyTask[] };

/** A task that was tried and is still due: how often it failed in a row, and when it is tried again, in ms since 1970. */
export type Retry = { readonly tries: number; readonly notBeforeMs: number };

/** By the task's name. */
export type Retries = Readonly<Record<string, Retry>>;

/** A subject that a worker owns. `fence` and `changes` as the worker last saw them. */
export type Claim = {
  readonly subjectId: string;
  readonly fence: string;
  readonly changes: string;
  readonly retries: Retries;
};

/** A subject that was just taken. `wasOwned`: it was not let go, because its last owner died, stopped or lost an answer. */
export type Taken = Claim & { readonly dueAt: Date; readonly wasOwned: boolean };

/** What a worker's heartbeat is answered with. */
export type Beat = {
  /** The other workers: how many heartbeats they have sent, and how long before this one the last, by the workers' clock. */
  readonly others: readonly { readonly id: string; readonly beats: string; readonly silentMs: number }[];
  /** When the next subject falls due that nobody owns. */
  readonly nextDueAt: Date | null;
  /** The worker's own subjects, with how often each was derived. */
  readonly owned: readonly Pick<Claim, "subjectId" | "changes">[];
};

/** When a subject is to be looked at again, and what of it has failed. */
export type Standing = { readonly dueAt: Date; readonly retries: Retries };

type Taking = {
  readonly worker: string;
  readonly at: Date;
  /** Subjects under way in the worker. */
  readonly busy: readonly string[];
  /** What is due for nothing but these kinds of tasks is left: the worker has no room for them. */
  readonly crowded: readonly AnyTask["kind"][];
  readonly most: number;
};

/** The workers' table and their subjects' one: who may look at what, and when. The log alone decides what is owed. */
export type WorkTable = {
  /** Registers a worker under a new id. */
  enter(worker: string): Promise<void>;
  /** Undefined if the worker's row is gone: others have taken over. */
  beat(worker: string): Promise<Beat | undefined>;
  /** Removes a worker, unless it has sent more heartbeats than `beats`; all its subjects are free. */
  remove(worker: string, beats?: string): Promise<void>;
  /** Frees a worker's subjects but these. What a batch is writing at the moment stays. */
  free(worker: string, but: readonly string[]): Promise<void>;
  /** Takes subjects that are due and free, first those with something to destroy, each kind up to `most`. */
  take(taking: Taking): Promise<readonly Taken[]>;
  /**
   * Gives a subject back; null if it is owed nothing. False if it was derived again, or is not the worker's any more.
   * What newer rules derived stays as it is, free: this build does not know what they owe.
   */
  letGo(worker: string, claim: Claim, standing: Standing | null): Promise<boolean>;
  /** The worker's claim at present. */
  claimOf(worker: string, subjectId: string): Promise<Claim | undefined>;
  /** Adds a subject that is missing, and brings forward one that is listed later than due. */
  remind(derived: Derived, now: Date): Promise<void>;
  /** Applications whose destruction is due or has failed, oldest first. */
  openPurges(
    now: Date,
    limit: number,
  ): Promise<readonly { readonly subjectId: string; readonly dueAt: Date }[]>;
};

/** What the follower of tasks does with the subjects of a batch. */
export type Deriving = {
  readonly derived: readonly Derived[];
  readonly now: Date;
  readonly rules: number;
  /** The worker in this process, and which subjects it takes if they are free, and lets go. */
  readonly worker?: string | undefined;
  readonly takes: ReadonlySet<string>;
  readonly letsGo: ReadonlySet<string>;
};

/** A heartbeat on a connection that is silent is tried again on another, in time for the lease. */
const beatWithinMs = 2_000;
/** Likewise a look, for what falls due meanwhile. What it took, the next heartbeat says. */
const takeWithinMs = 10_000;
const purgeLookMs = 10_000;
export const destroys: ReadonlySet<AnyTask["kind"]> = new Set(["purge", "destroyRecord"]);

/**
 * When a task is due for a look. A failed purge's recorded retry is due ever later, because each writes an event; in
 * between it is retried quietly.
 */
export function lookAt(task: AnyTask, now: Date): number {
  const [dueMs, nowMs] = [Date.parse(task.dueAt), now.getTime()];
  return task.kind === "purge" && task.attempt > 1 ? Math.min(dueMs, nowMs + purgeLookMs) : dueMs;
}

/** When a subject is due for a look. */
export const nextLookAt = (tasks: readonly AnyTask[], now: Date): Date =>
  new Date(Math.min(...tasks.map((task) => lookAt(task, now))));

const rowsOf = (derived: readonly Derived[], now: Date) =>
  derived.map(({ subjectId, tasks }) => {
    const ends = tasks.filter(({ kind }) => destroys.has(kind)).map((task) => lookAt(task, now));
    const [follows = null] = tasks.flatMap((task) => ("follows" in task ? [task.follows] : []));
    return {
      ...{ subjectId, follows, dueAt: nextLookAt(tasks, now) },
      destroysAt: ends.length > 0 ? new Date(Math.min(...ends)) : null,
      tasks: JSON.stringify(tasks.map(({ name, kind, dueAt }) => ({ name, kind, dueAt }))),
    };
  });

const valuesOf = (derived: readonly Derived[], now: Date): unknown[] => {
  const rows = rowsOf(derived, now);
  return [
    rows.map(({ subjectId }) => subjectId),
    rows.map(({ dueAt }) => dueAt),
    rows.map(({ destroysAt }) => destroysAt),
    rows.map(({ tasks }) => tasks),
    rows.map(({ follows }) => follows),
  ];
};

const owed = `unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::jsonb[], $5::uuid[])
  as owed (subject_id, due_at, destroys_at, tasks, follows)`;
const columns = "subject_id, due_at, destroys_at, tasks, follows, rules";
const replaced = ["due_at", "destroys_at", "tasks", "follows", "rules"]
  .map((column) => `${column} = excluded.${column}`)
  .join(", ");
const claim = 'subject_id as "subjectId", fence::text, changes::text, retries';

/**
 * Replaces the rows of subjects, in one statement. Where nothing is owed, a row that is owned remains until its owner lets
 * go: nobody else may own the subject before. A worker whose own row is gone takes nothing: the foreign key would refuse
 * the whole batch, which is not to blame. A batch that takes something waits for the disk: a crash of the server must not
 * free what a worker has begun.
 * @returns those that the worker in this process then owns
 */
export async function deriveRows(client: Client, deriving: Deriving): Promise<readonly Claim[]> {
  const { derived, now, rules, worker, takes, letsGo } = deriving;
  const there = derived.filter(({ tasks }) => tasks.length > 0);
  const gone = derived.filter(({ tasks }) => tasks.length === 0).map(({ subjectId }) => subjectId);
  const { rows } = await client.query<Claim>({
    name: "derive-work",
    text: `with alive as (
             select id, set_config('synchronous_commit', 'on', true) from workers where id = $8 for key share
           ), gone as (
             delete from work where subject_id = any($7::uuid[]) and rules <= $6
               and (owner is null or (owner = $8 and subject_id = any($10::uuid[])))
           ), ended as (
             update work set tasks = '[]', destroys_at = null, follows = null, changes = changes + 1
             where subject_id = any($7::uuid[]) and rules <= $6
               and owner is not null and not (owner = $8 and subject_id = any($10::uuid[]))
           )
           insert into work (${columns}, owner, owned_since)
           select subject_id, due_at, destroys_at, tasks, follows, $6, owner, case when owner is not null then now() end from (
             select owed.*, case when subject_id = any($9::uuid[]) then (select id from alive) end as owner from ${owed}) as owed
           on conflict (subject_id) do update set ${replaced}, changes = work.changes + 1,
             owner = case when work.owner is null then excluded.owner
                          when work.owner = $8 and work.subject_id = any($10::uuid[]) then null
                          else work.owner end,
             owned_since = case when work.owner is null then excluded.owned_since
                                when work.owner = $8 and work.subject_id = any($10::uuid[]) then null
                                else work.owned_since end,
             retries = case when work.owner = $8 and work.subject_id = any($10::uuid[]) then '{}' else work.retries end,
             fence = case when work.owner is null then excluded.fence else work.fence end
           where work.rules <= excluded.rules
           returning ${claim}, owner`,
    values: [...valuesOf(there, now), rules, gone, worker ?? null, [...takes], [...letsGo]],
  });
  return rows.filter((row) => worker !== undefined && "owner" in row && row.owner === worker);
}

/** Derives subjects of which nothing newer is known. */
export async function addRows(
  database: Client | Pool,
  derived: readonly Derived[],
  now: Date,
  rules: number,
): Promise<void> {
  const there = derived.filter(({ tasks }) => tasks.length > 0);
  if (there.length === 0) return;
  await database.query(
    `insert into work (${columns}) select subject_id, due_at, destroys_at, tasks, follows, $6 from ${owed}
     on conflict (subject_id) do update set ${replaced}, changes = work.changes + 1
     where work.rules < excluded.rules or (work.rules = excluded.rules and work.due_at > excluded.due_at
       and not work.retries @? '$.*.tries ? (@ > 0)')`,
    [...valuesOf(there, now), rules],
  );
}

/** Tickets to be purged together with the contact data of one of these orders. */
export async function followersOf(client: Client | Pool, orderIds: readonly string[]): Promise<string[]> {
  if (orderIds.length === 0) return [];
  const { rows } = await client.query("select subject_id from work where follows = any($1::uuid[])", [
    orderIds,
  ]);
  return z
    .array(z.object({ subject_id: z.uuid() }))
    .parse(rows)
    .map(({ subject_id }) => subject_id);
}

export function createWorkTable(pool: Pool, rules: number = taskRules): WorkTable {
  return {
    enter: async (worker) => {
      await pool.query("insert into workers (id) values ($1)", [worker]);
    },
    beat: async (worker) => {
      const text = `with beaten as (update workers set beats = beats + 1 where id = $1 returning clock)
               select exists (select from beaten) as "isThere",
                 coalesce((select json_agg(json_build_object('id', id, 'beats', beats::text,
                             'silentMs', extract(epoch from (select clock from beaten) - clock) * 1000))
                           from workers where id <> $1), '[]') as others,
                 (select min(due_at) from work where owner is null and rules <= $2) as "nextDueAt",
                 coalesce((select json_agg(json_build_object('subjectId', subject_id, 'changes', changes::text))
                           from work where owner = $1), '[]') as owned`;
      const statement = { ...givenUpAfter(beatWithinMs, text, [worker, rules]), name: "beat" };
      const { rows } = await pool.query<Beat & { readonly isThere: boolean }>(statement);
      return rows[0]?.isThere ? rows[0] : undefined;
    },
    remove: async (worker, beats) => {
      await pool.query("delete from workers where id = $1 and beats = coalesce($2, beats)", [
        worker,
        beats ?? null,
      ]);
    },
    // `owned_since` stays, as when the worker's row goes: it tells the next owner that it was not let go.
    free: async (worker, but) => {
      await pool.query(
        `update work set owner = null where subject_id in (
           select subject_id from work where owner = $1 and subject_id <> all($2::uuid[]) for update skip locked)`,
        [worker, but],
      );
    },
    take: async ({ worker, at, busy, crowded, most }) => {
      const free = "owner is null and rules <= $5 and due_at <= $2 and subject_id <> all($3::uuid[])";
      const hasRoom = `($6::text[] = '{}' or not coalesce((
        select bool_and(task ->> 'kind' = any($6)) from jsonb_array_elements(tasks) as task
        where (task ->> 'dueAt')::timestamptz <= $2), false))`;
      const text = `with destroying as (
                 select subject_id, owned_since from work where ${free} and destroys_at <= $2
                 order by destroys_at limit $4 for update skip locked
               ), others as (
                 select subject_id, owned_since from work where ${free} and ${hasRoom}
                 order by due_at limit $4 for update skip locked
               ), forgotten as (
                 select subject_id, owned_since from work where owner = $1 and subject_id <> all($3::uuid[])
                 for update skip locked
               ), found as (
                 select subject_id as id, owned_since as before from destroying
                 union select * from others union select * from forgotten
               )
               update work set owner = $1, owned_since = now(), fence = gen_random_uuid()
               from found where subject_id = id
               returning ${claim}, due_at as "dueAt", before is not null as "wasOwned"`;
      const values = [worker, at, busy, most, rules, crowded];
      const statement = { ...givenUpAfter(takeWithinMs, text, values), name: "take-work" };
      return (await pool.query<Taken>(statement)).rows;
    },
    letGo: async (worker, { subjectId, fence, changes }, standing) => {
      const owned = "subject_id = $1 and owner = $2 and fence = $3 and changes = $4";
      const free = "owner = null, owned_since = null";
      const values = [subjectId, worker, fence, changes, rules];
      const { rowCount } =
        standing === null
          ? await pool.query({
              name: "end-work",
              text: `with ended as (delete from work where ${owned} and rules <= $5 returning 1),
                       freed as (update work set ${free} where ${owned} and rules > $5 returning 1)
                     select from ended union all select from freed`,
              values,
            })
          : await pool.query({
              name: "let-go",
              text: `update work set ${free}, retries = $7, due_at = case when rules <= $5 then $6 else due_at end
                     where ${owned}`,
              values: [...values, standing.dueAt, standing.retries],
            });
      return rowCount === 1;
    },
    claimOf: async (worker, subjectId) => {
      const text = `select ${claim} from work where subject_id = $1 and owner = $2`;
      return (await pool.query<Claim>(text, [subjectId, worker])).rows[0];
    },
    remind: (derived, now) => addRows(pool, [derived], now, rules),
    openPurges: async (now, limit) => {
      // A purge that has failed is looked at again within ten seconds.
      const { rows } = await pool.query<{ subjectId: string; dueAt: Date }>(
        `select subject_id as "subjectId", (task ->> 'dueAt')::timestamptz as "dueAt"
         from work, jsonb_array_elements(tasks) as task
         where due_at <= $1::timestamptz + interval '10 seconds' and task ->> 'name' like 'purge-application-%'
           and ((task ->> 'dueAt')::timestamptz <= $1 or task ->> 'name' not like '%-1')
         order by 2 limit $2`,
        [now, limit],
      );
      return rows;
    },
  };
}
