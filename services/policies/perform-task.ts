import { Refused } from "../../domain/decider.ts";
import type { Order } from "../../domain/order/state.ts";
import { owed } from "../../domain/order/tasks/owed.ts";
import type { Task, TaskKind } from "../../domain/order/tasks/task.ts";
import { ticketOwed } from "../../domain/ticket/owed.ts";
import { StreamUnreadable } from "../../infra/event-store/stream-unreadable.ts";
import { nameOfError } from "../../infra/following/follower-faults.ts";
import { isStorageError, trustedStorage } from "../../infra/telemetry/storage/storage-watch.ts";
import { correlated } from "../../infra/telemetry/tracing/correlation.ts";
import type { OnBehalf } from "../orders/orders.ts";
import { type AnyTask, type Subject, subjectIfKnown } from "./subject.ts";
import type { Outcome, OwedTask, TaskDependencies } from "./task-dependencies.ts";
import { askSubmission } from "./tasks/ask-submission.ts";
import { mail } from "./tasks/mail.ts";
import { purge } from "./tasks/purge.ts";
import {
  cancel,
  destroyRecord,
  fail,
  fulfil,
  refund,
  requestRefund,
  submissionRequest,
} from "./tasks/simple-tasks.ts";
import { submit } from "./tasks/submit.ts";
import { type TaskWatch, unwatchedTasks } from "./tasks/task-watch.ts";
import { performTicketTask } from "./tickets/perform-ticket-task.ts";

/**
 * Performs a task if it still applies and is due. Safe to repeat and to run in several processes at once; a second run
 * in the same process leaves it to the first. While our own storage is unavailable the task waits, and runs as soon as
 * storage answers.
 * @throws TaskFailed when it must be retried
 */
export type PerformTask = (subjectId: string, name: string) => Promise<void>;

/** A task failed. Holds only a code: job queues keep what is thrown, and a message may quote a person. */
export class TaskFailed extends Error {
  override name = "TaskFailed";
}

export type PerformTaskDependencies = TaskDependencies & {
  readonly taskWatch?: TaskWatch;
  readonly stopping?: AbortSignal;
};

/** Consecutive storage failures while all storage answers, after which the task itself counts as failed. */
const mostUnexplained = 3;

/** Allowed difference between the clocks of two machines. */
const toleranceMs = 1_000;

export function createPerformTask(parts: PerformTaskDependencies): PerformTask {
  const inHand = new Set<string>();
  return async (subjectId, name) => {
    const id = `${subjectId}-${name}`;
    if (inHand.has(id)) return;
    inHand.add(id);
    try {
      await throughOutages(parts, { subjectId, name }, () =>
        orPostpone(parts, { subjectId, name }, () => performByName(parts, subjectId, name)),
      );
    } finally {
      inHand.delete(id);
    }
  };
}

type Named = { subjectId: string; name: string };

/** A failure of our own storage is not an attempt: it neither counts nor postpones the next one. */
async function throughOutages(
  parts: PerformTaskDependencies,
  task: Named,
  work: () => Promise<void>,
): Promise<void> {
  const { storage = trustedStorage, stopping = new AbortController().signal } = parts;
  for (let unexplained = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!isStorageError(error)) throw error;
      storage.suspect(error);
      const wasAway = await storage.over(stopping);
      if (stopping.aborted) throw new TaskFailed("stopping");
      if (!wasAway) unexplained += 1;
      if (unexplained >= mostUnexplained) return await putOff(parts, task, error);
    }
  }
}

async function orPostpone(parts: TaskDependencies, task: Named, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // Already postponed, or not to be postponed for this.
    if (error instanceof TaskFailed || isStorageError(error)) throw error;
    await putOff(parts, task, error);
  }
}

/** @throws TaskFailed unless a rule forbade it */
async function putOff({ list, now, log }: TaskDependencies, { subjectId, name }: Named, error: unknown) {
  await list.postpone(subjectId, name, now());
  if (error instanceof Refused) {
    // Another process was faster, or the order changed. The next check decides whether the task still applies.
    log.info({ subjectId, task: name, rule: error.rule }, "a task was refused");
    return;
  }
  if (error instanceof StreamUnreadable) {
    // Nothing is sent, purged or refunded on the basis of an unreadable stream. The parked stream shows that it waits.
    log.info({ subjectId, task: name, reason: error.reason }, "a task waits for a stream to be repaired");
    return;
  }
  const code = nameOfError(error) ?? "unknown";
  log.warn({ subjectId, task: name, code, place: placeOf(error) }, "a task failed");
  throw new TaskFailed(code);
}

async function performByName(parts: PerformTaskDependencies, subjectId: string, name: string): Promise<void> {
  const { list, deps, confirmLog, now, log, taskWatch = unwatchedTasks } = parts;
  const at = now();
  const subject = await subjectIfKnown(deps, subjectId);
  await confirmLog();
  if (!subject) {
    // A listed task came from an event: a log without that event says nothing about the task.
    log.warn({ subjectId, task: name }, "a task is listed for an order or ticket that the log does not hold");
    return list.postpone(subjectId, name, at);
  }
  const task = performable(parts, subject, at).find(({ owed }) => owed.name === name);
  if (!task) return list.settle(subjectId, name);
  const { owed, perform } = task;
  if (isEarly(owed, at)) return list.awaitDue(subjectId, name, new Date(owed.dueAt));
  const by = onBehalfOf(subject, deps);
  const { correlationId } = by;
  // Logs a failure under the id of the request that caused it.
  await correlated(correlationId, () =>
    orPostpone(parts, { subjectId, name }, async () => {
      const inHand = { subjectId, name, kind: owed.kind, correlationId };
      await taskWatch.doing(inHand, () => perform(by));
      // Not removed merely because the command succeeded: if the task still applies, it would be forgotten.
      await list.postpone(subjectId, name, now());
    }),
  );
}

/** A policy acts on behalf of the author of the last event that has consequences. */
const onBehalfOf = ({ cause }: Subject, deps: Pick<TaskDependencies["deps"], "newId">): OnBehalf => ({
  actor: { kind: "system", id: "policies" },
  correlationId: cause?.correlationId ?? deps.newId(),
  ...(cause && { causationId: cause.eventId }),
});

type Performable = { owed: AnyTask; perform: (by: OnBehalf) => Promise<Outcome> };

function performable(parts: TaskDependencies, subject: Subject, at: Date): Performable[] {
  const { settings } = parts;
  if (subject.kind === "order") {
    const { order } = subject;
    return owed(order, at.toISOString(), settings).map((task) => ({
      owed: task,
      perform: (by) => perform(parts, order, task, by),
    }));
  }
  const { ticket } = subject;
  return ticketOwed(ticket, subject.order, settings).map((task) => ({
    owed: task,
    perform: (by) => performTicketTask(parts, ticket, task, by),
  }));
}

function isEarly(task: AnyTask, at: Date): boolean {
  // A failed purge is already overdue, whatever its next event waits for.
  if (task.kind === "purge" && task.attempt > 1) return false;
  return Date.parse(task.dueAt) - at.getTime() > toleranceMs;
}

function perform(parts: TaskDependencies, order: Order, task: Task, by: OnBehalf): Promise<Outcome> {
  const on = <Kind extends TaskKind["kind"]>(own: Extract<Task, { kind: Kind }>): OwedTask<Kind> => ({
    order,
    task: own,
    by,
    commandId: `duty-${order.orderId}-${own.name}`,
  });
  switch (task.kind) {
    case "cancel":
      return cancel(parts, on(task));
    case "requestSubmission":
      return submissionRequest(parts, on(task));
    case "mail":
      return mail(parts, on(task));
    case "submit":
      return submit(parts, on(task));
    case "askSubmission":
      return askSubmission(parts, on(task));
    case "purge":
      return purge(parts, on(task));
    case "destroyRecord":
      return destroyRecord(parts, on(task));
    case "fail":
      return fail(parts, on(task));
    case "fulfil":
      return fulfil(parts, on(task));
    case "requestRefund":
      return requestRefund(parts, on(task));
    case "refund":
      return refund(parts, on(task));
    default:
      return task satisfies never;
  }
}

const frame = /^\s+at (?:.*\()?(?:file:\/\/)?(\/.*:\d+:\d+)\)?$/m;

/** File, line and column of a thrown error: the only part of its stack that cannot quote what a person typed. */
export function placeOf(error: unknown): string | undefined {
  return error instanceof Error ? frame.exec(error.stack ?? "")?.[1] : undefined;
}
