import { orderIdOf } from "../../../domain/order/events.ts";
import type { TaskSettings } from "../../../domain/order/tasks/task.ts";
import { ticketStream } from "../../../domain/ticket/events.ts";
import type { StoredEvent } from "../../../infra/event-store/event-store.ts";
import { StreamUnreadable, whileReading } from "../../../infra/event-store/stream-unreadable.ts";
import { nameOfError } from "../../../infra/following/follower-faults.ts";
import type { Subscribing } from "../../../infra/following/subscription/subscribing.ts";
import type { Jobs, JobToAdd } from "../../../infra/jobs/jobs.ts";
import type { Client } from "../../../infra/postgres/pool.ts";
import type { Log } from "../../../infra/process/log.ts";
import { type AnyTask, owedTo, type SubjectParts, subjectIdOf, subjectIfKnown } from "../subject.ts";
import { type TaskWatch, unwatchedTasks } from "../task-dependencies.ts";
import { type OwnVisits, visitsAt, visitsFor } from "../tasks/arrange-visits.ts";
import {
  type Derived,
  followersOf,
  type ListedTask,
  listTasks,
  taskRules,
  tasksFollower,
} from "../tasks/task-list.ts";
import type { Visits } from "../tasks/visits.ts";

export type FollowTasksDependencies = SubjectParts & {
  jobs: Jobs;
  settings: TaskSettings;
  /** Tasks due later than this are left to the sweep, so a year's retention does not become a year-long job. */
  horizonMs: number;
  now: () => Date;
  log: Log;
  taskWatch?: TaskWatch;
  /** Leaves a task that is due to a visit under way in this process, if there is one. */
  leave?: Visits["leave"];
  /** Visits in this process, without the queue, what is due soon. @returns jobs for all others */
  take?: OwnVisits["take"];
  /** Overrides the rules version, for tests of a deploy. */
  rules?: number;
};

/**
 * After each event of an order or ticket: derives and lists its tasks, and arranges visits for what is new and due
 * soon.
 */
export const tasksPolicy = (parts: FollowTasksDependencies): Subscribing => ({
  ...tasksFollower(parts.rules),
  process: (client, events) => takeUp(parts, listingOn(client, parts.rules ?? taskRules), events),
});

/** The list as the transaction of a batch sees it. */
type Listing = {
  followersOf(orderIds: readonly string[]): Promise<readonly string[]>;
  /** Replaces the tasks of orders and tickets. @returns what was added or is due at another time */
  list(derived: readonly Derived[], now: Date): Promise<readonly ListedTask[]>;
};

const listingOn = (client: Client, rules: number): Listing => ({
  followersOf: (orderIds) => followersOf(client, orderIds),
  list: (derived, now) => listTasks(client, derived, now, rules),
});

/** What one batch of events means for the list and for visits. */
export async function takeUp(
  parts: FollowTasksDependencies,
  listing: Listing,
  events: readonly StoredEvent[],
): Promise<void> {
  const { now, leave = () => false } = parts;
  const at = now();
  const derived: Derived[] = [];
  // Newer events come last.
  for (const [stream, revision] of new Map(events.map((event) => [event.stream, event.revision]))) {
    const subjectId = subjectIdOf(stream);
    if (subjectId !== undefined) derived.push(await derive(parts, subjectId, stream, at, revision));
  }
  for (const ticketId of await listing.followersOf(ordersPurgedBy(events))) {
    if (derived.some(({ subjectId }) => subjectId === ticketId)) continue;
    const ofTicket = await unlessUnreadable(
      parts,
      ticketId,
      derive(parts, ticketId, ticketStream(ticketId), at),
    );
    if (ofTicket) derived.push(ofTicket);
  }
  const changed = await listing.list(derived, at);
  const sharesJob = sharingJobs(derived, changed);
  const others = changed.filter(
    (task) => !sharesJob(task) && (task.dueAt > at || !leave(task.subjectId, task.name)),
  );
  await queueVisits(parts, [
    ...visitsAt(soonOf(parts, changed.filter(sharesJob), at), at),
    ...(parts.take ?? visitsAt)(soonOf(parts, others, at), at),
  ]);
}

/**
 * Whether a task falls due in the same millisecond as one that was listed before, by coincidence. The job of that one,
 * perhaps in another process, does both, so this process must not do it as well.
 */
function sharingJobs(
  derived: readonly Derived[],
  changed: readonly ListedTask[],
): (task: ListedTask) => boolean {
  const nameOf = (subjectId: string, name: string) => `${subjectId} ${name}`;
  const jobOf = (subjectId: string, dueMs: number) => `${subjectId} ${dueMs}`;
  const isChanged = new Set(changed.map(({ subjectId, name }) => nameOf(subjectId, name)));
  const jobs = new Set(
    derived.flatMap(({ subjectId, tasks }) =>
      tasks
        .filter(({ name }) => !isChanged.has(nameOf(subjectId, name)))
        .map(({ dueAt }) => jobOf(subjectId, Date.parse(dueAt))),
    ),
  );
  return ({ subjectId, dueAt }) => jobs.has(jobOf(subjectId, dueAt.getTime()));
}

/**
 * Does not read again what this process has seen up to `since`: a visit verifies the stream before it acts.
 * @throws StreamUnreadable
 */
async function derive(
  parts: FollowTasksDependencies,
  subjectId: string,
  stream: string,
  at: Date,
  since?: number,
): Promise<Derived> {
  const { settings, taskWatch = unwatchedTasks } = parts;
  const subject = await subjectIfKnown(parts, subjectId, since);
  if (!subject)
    throw new StreamUnreadable(stream, "chain-broken", `${stream} has events but no first event.`);
  let tasks: readonly AnyTask[] = [];
  await taskWatch.listing(subjectId, subject.cause?.correlationId ?? subjectId, async () => {
    tasks = whileReading(stream, () => owedTo(subject, at.toISOString(), settings));
  });
  return { subjectId, tasks };
}

const ordersPurgedBy = (events: readonly StoredEvent[]): string[] =>
  events
    .filter(({ type }) => type === "ContactDataPurged")
    .map(({ stream }) => orderIdOf(stream))
    .filter((orderId) => orderId !== undefined);

/** An unreadable ticket must not park the order it is linked to: it waits for its own events. */
async function unlessUnreadable(
  { log }: Pick<FollowTasksDependencies, "log">,
  ticketId: string,
  deriving: Promise<Derived>,
): Promise<Derived | undefined> {
  return deriving.catch((error: unknown) => {
    if (!(error instanceof StreamUnreadable)) throw error;
    log.error(
      { subjectId: ticketId, reason: error.reason },
      "a ticket could not be read when its order's data was purged",
    );
    return undefined;
  });
}

export const asListed = (subjectId: string, tasks: readonly AnyTask[]): ListedTask[] =>
  tasks.map(({ name, kind, dueAt }) => ({ subjectId, name, kind, dueAt: new Date(dueAt) }));

/** Queues visits for tasks that are due soon. */
export const addJobsOf = (
  parts: Pick<FollowTasksDependencies, "jobs" | "horizonMs" | "log">,
  listed: readonly ListedTask[],
  at: Date,
  priority?: "background",
): Promise<void> => queueVisits(parts, visitsAt(soonOf(parts, listed, at), at, priority));

/** Queues a visit for a task alone, which failed while others that were due with it may still be under way here. */
export const addRetryOf = (
  parts: { readonly jobs: Pick<Jobs, "add">; readonly log: Log },
  subjectId: string,
  task: AnyTask,
): Promise<void> => queueVisits(parts, visitsFor(asListed(subjectId, [task])));

const soonOf = (
  { horizonMs }: Pick<FollowTasksDependencies, "horizonMs">,
  listed: readonly ListedTask[],
  at: Date,
): ListedTask[] => listed.filter(({ dueAt }) => dueAt.getTime() - at.getTime() <= horizonMs);

/**
 * Runs before the transaction commits: a visit that starts early reads the log, not the list. A queue that refuses jobs
 * must not stop the follower for good: the sweep adds what is on the list.
 */
async function queueVisits(
  { jobs, log }: { readonly jobs: Pick<Jobs, "add">; readonly log: Log },
  visits: readonly JobToAdd[],
): Promise<void> {
  await jobs
    .add(visits)
    .catch((error: unknown) => log.warn({ code: nameOfError(error) }, "the job queue accepted no tasks"));
}
