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
import { jobOf } from "../tasks/task-jobs.ts";
import { followersOf, type ListedTask, listTasks, taskRules, tasksFollower } from "../tasks/task-list.ts";
import { type TaskWatch, unwatchedTasks } from "../tasks/task-watch.ts";

export type FollowTasksDependencies = SubjectParts & {
  jobs: Jobs;
  settings: TaskSettings;
  /** Tasks due later than this are left to the sweep, so a year's retention does not become a year-long job. */
  horizonMs: number;
  now: () => Date;
  log: Log;
  taskWatch?: TaskWatch;
  /** Overrides the rules version, for tests of a deploy. */
  rules?: number;
};

/** After each event of an order or ticket: derives its current tasks, lists them, and queues those due soon. */
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
  const { settings, now, taskWatch = unwatchedTasks } = parts;
  const at = now();
  const listed: ListedTask[] = [];
  const list = async (subjectId: string, stream: string): Promise<void> => {
    const subject = await subjectIfKnown(parts, subjectId);
    if (!subject)
      throw new StreamUnreadable(stream, "chain-broken", `${stream} has events but no first event.`);
    const tasks = whileReading(stream, () => owedTo(subject, at.toISOString(), settings));
    await taskWatch.listing(subjectId, subject.cause?.correlationId ?? subjectId, () =>
      listTasks(client, subjectId, tasks, at, rules),
    );
    listed.push(...asListed(subjectId, tasks));
  };
  for (const stream of new Set(events.map((event) => event.stream))) {
    const subjectId = orderIdOf(stream) ?? ticketIdOf(stream);
    if (subjectId !== undefined) await list(subjectId, stream);
  }
  for (const ticketId of await followersOf(client, ordersPurgedBy(events)))
    await unlessUnreadable(parts, ticketId, list(ticketId, ticketStream(ticketId)));
  await addJobsOf(parts, listed, at);
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
  listing: Promise<void>,
): Promise<void> {
  await listing.catch((error: unknown) => {
    if (!(error instanceof StreamUnreadable)) throw error;
    log.error(
      { subjectId: ticketId, reason: error.reason },
      "a ticket could not be read when its order's data was purged",
    );
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
    .add(soon.map((task) => jobOf(task, at, priority)))
    .catch((error: unknown) => log.warn({ code: nameOfError(error) }, "the job queue accepted no tasks"));
}
