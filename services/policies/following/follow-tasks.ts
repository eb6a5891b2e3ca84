import { orderIdOf } from "../../../domain/order/events.ts";
import type { TaskSettings } from "../../../domain/order/tasks/task.ts";
import { ticketIdOf, ticketStream } from "../../../domain/ticket/events.ts";
import type { StoredEvent } from "../../../infra/event-store/event-store.ts";
import { StreamUnreadable, whileReading } from "../../../infra/event-store/stream-unreadable.ts";
import { nameOfError } from "../../../infra/following/follower-faults.ts";
import type { Subscribing } from "../../../infra/following/subscription/subscribing.ts";
import type { Jobs } from "../../../infra/jobs/jobs.ts";
import type { Client } from "../../../infra/postgres/pool.ts";
import type { Log } from "../../../infra/process/log.ts";
import { type AnyTask, owedTo, type SubjectParts, subjectIfKnown } from "../subject.ts";
import { visitsAt } from "../tasks/task-jobs.ts";
import {
  type Derived,
  followersOf,
  type ListedTask,
  listTasks,
  taskRules,
  tasksFollower,
} from "../tasks/task-list.ts";
import { type TaskWatch, unwatchedTasks } from "../tasks/task-watch.ts";
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
  /** Overrides the rules version, for tests of a deploy. */
  rules?: number;
};

/** After each event of an order or ticket: derives its current tasks, lists them, and queues visits for what is new and due soon. */
export const tasksPolicy = (parts: FollowTasksDependencies): Subscribing => ({
  ...tasksFollower(parts.rules),
  process: (client, events) => takeUp(parts, client, events, parts.rules ?? taskRules),
});

async function takeUp(
  parts: FollowTasksDependencies,
  client: Client,
  events: readonly StoredEvent[],
  rules: number,
): Promise<void> {
  const { now, leave = () => false } = parts;
  const at = now();
  const derived: Derived[] = [];
  for (const stream of new Set(events.map((event) => event.stream))) {
    const subjectId = orderIdOf(stream) ?? ticketIdOf(stream);
    if (subjectId !== undefined) derived.push(await derive(parts, subjectId, stream, at));
  }
  for (const ticketId of await followersOf(client, ordersPurgedBy(events))) {
    if (derived.some(({ subjectId }) => subjectId === ticketId)) continue;
    const ofTicket = await unlessUnreadable(
      parts,
      ticketId,
      derive(parts, ticketId, ticketStream(ticketId), at),
    );
    if (ofTicket) derived.push(ofTicket);
  }
  const changed = await listTasks(client, derived, at, rules);
  await addJobsOf(
    parts,
    changed.filter(({ subjectId, name, dueAt }) => dueAt > at || !leave(subjectId, name)),
    at,
  );
}

/** @throws StreamUnreadable */
async function derive(
  parts: FollowTasksDependencies,
  subjectId: string,
  stream: string,
  at: Date,
): Promise<Derived> {
  const { settings, taskWatch = unwatchedTasks } = parts;
  const subject = await subjectIfKnown(parts, subjectId);
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

/**
 * Queues tasks that are due soon. Runs before the transaction commits: a job that starts early reads the log, not the
 * list. A queue that refuses jobs must not stop the follower for good: the sweep adds what is on the list.
 */
export async function addJobsOf(
  { jobs, horizonMs, log }: Pick<FollowTasksDependencies, "jobs" | "horizonMs" | "log">,
  listed: readonly ListedTask[],
  at: Date,
  priority?: "background",
): Promise<void> {
  const soon = listed.filter(({ dueAt }) => dueAt.getTime() - at.getTime() <= horizonMs);
  await jobs
    .add(visitsAt(soon, at, priority))
    .catch((error: unknown) => log.warn({ code: nameOfError(error) }, "the job queue accepted no tasks"));
}
