import { Refused } from "../../domain/decider.ts";
import { StreamUnreadable } from "../../infra/event-store/stream-unreadable.ts";
import { nameOfError } from "../../infra/following/follower-faults.ts";
import { confirmedBy } from "../../infra/log-binding/confirmed-reads.ts";
import { isStorageError, trustedStorage } from "../../infra/telemetry/storage/storage-watch.ts";
import { correlated } from "../../infra/telemetry/tracing/tracing.ts";
import type { OnBehalf } from "../orders/orders.ts";
import { idOf, owedTo, type Subject, subjectIfKnown, subjectSeen } from "./subject.ts";
import {
  outdatedAfterMs,
  type TaskDependencies,
  type TaskWatch,
  unwatchedTasks,
} from "./task-dependencies.ts";
import { isEarly, type Performable, performable } from "./tasks/performable.ts";

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

/** Performs tasks, each once at a time in this process. */
export type Performer = {
  readonly byName: PerformTask;
  /**
   * Performs a task found due on a subject. It is read again if the reading began a while ago: another worker may have
   * performed the task since.
   * @param mayBegin asked before each attempt
   * @throws TaskFailed when it must be retried, or may not begin
   */
  readonly performFound: (found: Found, task: Performable, mayBegin: () => Promise<boolean>) => Promise<void>;
  /**
   * The subject in the log at present, for what is due. Undefined when there is nothing to perform: the named task,
   * which led here, is then postponed.
   */
  readonly read: (named: Named) => Promise<Subject | undefined>;
};

/** A subject, and when its reading from the log began, in milliseconds. */
export type Found = { readonly subject: Subject; readonly readAtMs: number };

/** Reads that are outdated when they are answered are repeated, at most so often: a slow log must not stop all work. */
const mostReads = 3;

export function createPerformer(parts: PerformTaskDependencies): Performer {
  const underWay = new Set<string>();

  async function oneAtATime(named: Named, work: () => Promise<void>): Promise<void> {
    const id = `${named.subjectId}-${named.name}`;
    if (underWay.has(id)) return;
    underWay.add(id);
    try {
      await throughOutages(parts, named, () => orPostpone(parts, named, work));
    } finally {
      underWay.delete(id);
    }
  }

  return {
    byName: (subjectId, name) =>
      oneAtATime({ subjectId, name }, () => performByName(parts, { subjectId, name })),
    performFound: ({ subject, readAtMs }, task, mayBegin) => {
      const isOutdated = () => parts.now().getTime() - readAtMs > outdatedAfterMs;
      const named = { subjectId: idOf(subject), name: task.owed.name };
      let isTried = false;
      return oneAtATime(named, async () => {
        if (!(await mayBegin())) throw new TaskFailed("late");
        if (isTried || isOutdated()) return performByName(parts, named);
        isTried = true;
        return performFound(parts, subject, task);
      });
    },
    read: (named) =>
      throughOutages(parts, named, () => orPostpone(parts, named, () => readForTask(parts, named))),
  };
}

export type Named = { readonly subjectId: string; readonly name: string };

/**
 * A failure of our own storage is not an attempt: it neither counts nor postpones the next one. Undefined when the task
 * was postponed instead.
 */
async function throughOutages<T>(
  parts: PerformTaskDependencies,
  named: Named,
  work: () => Promise<T>,
): Promise<T | undefined> {
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
      if (unexplained >= mostUnexplained) return await putOff(parts, named, error);
    }
  }
}

async function orPostpone<T>(
  parts: TaskDependencies,
  named: Named,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    // Already postponed, or not to be postponed for this.
    if (error instanceof TaskFailed || isStorageError(error)) throw error;
    return await putOff(parts, named, error);
  }
}

/** @throws TaskFailed unless a rule forbade it */
async function putOff(
  { list, now, log }: TaskDependencies,
  { subjectId, name }: Named,
  error: unknown,
): Promise<undefined> {
  await list.postpone(subjectId, name, now());
  if (error instanceof Refused) {
    // Another process was faster, or the order changed. The next check decides whether the task still applies.
    log.info({ subjectId, task: name, rule: error.rule }, "a task was refused");
    return undefined;
  }
  if (error instanceof StreamUnreadable) {
    // Nothing is sent, purged or refunded on the basis of an unreadable stream. The parked stream shows that it waits.
    log.info({ subjectId, task: name, reason: error.reason }, "a task waits for a stream to be repaired");
    return undefined;
  }
  const code = nameOfError(error) ?? "unknown";
  log.warn({ subjectId, task: name, code, place: placeOf(error) }, "a task failed");
  throw new TaskFailed(code);
}

async function performByName(parts: PerformTaskDependencies, named: Named): Promise<void> {
  const subject = await readLately(parts, named);
  if (!subject) return;
  const { list, now } = parts;
  const { subjectId, name } = named;
  const at = now();
  const task = performable(parts, subject, at).find(({ owed }) => owed.name === name);
  if (!task) return list.settle(subjectId, name);
  if (isEarly(task.owed, at)) return list.awaitDue(subjectId, name, new Date(task.owed.dueAt));
  await performFound(parts, subject, task);
}

/** As `readForTask`, answered within a second where the log can. */
async function readLately(parts: PerformTaskDependencies, named: Named): Promise<Subject | undefined> {
  const { now } = parts;
  for (let reads = 1; ; reads++) {
    const startedMs = now().getTime();
    const subject = await readForTask(parts, named);
    if (reads === mostReads || now().getTime() - startedMs <= outdatedAfterMs) return subject;
  }
}

/** The whole stream, verified. Undefined, and the task is postponed, if the log does not hold it. */
async function readForTask(
  parts: TaskDependencies,
  { subjectId, name }: Named,
): Promise<Subject | undefined> {
  const { list, deps, confirmLog, now, log } = parts;
  const subject = await confirmedBy(confirmLog, () => subjectIfKnown(deps, subjectId));
  if (subject) return subject;
  // A listed task came from an event: a log without that event says nothing about the task.
  log.warn({ subjectId, task: name }, "a task is listed for an order or ticket that the log does not hold");
  await list.postpone(subjectId, name, now());
  return undefined;
}

async function performFound(
  parts: PerformTaskDependencies,
  subject: Subject,
  { owed, perform }: Performable,
): Promise<void> {
  const { list, deps, now, settings, taskWatch = unwatchedTasks } = parts;
  const { name, kind } = owed;
  const subjectId = idOf(subject);
  const by = onBehalfOf(subject, deps);
  const { correlationId } = by;
  // Logs a failure under the id of the request that caused it.
  await correlated(correlationId, () =>
    orPostpone(parts, { subjectId, name }, async () => {
      await taskWatch.doing({ subjectId, name, kind, correlationId }, () => perform(by));
      // Its event takes it off the list. If it still applies although the command succeeded, it is checked again.
      const after = await subjectSeen(deps, subject);
      const isOwed = owedTo(after, now().toISOString(), settings).some((each) => each.name === name);
      if (isOwed) await list.postpone(subjectId, name, now());
    }),
  );
}

/** A policy acts on behalf of the author of the last event that has consequences. */
export const onBehalfOf = (
  { cause }: Pick<Subject, "cause">,
  deps: Pick<TaskDependencies["deps"], "newId">,
): OnBehalf => ({
  actor: { kind: "system", id: "policies" },
  correlationId: cause?.correlationId ?? deps.newId(),
  ...(cause && { causationId: cause.eventId }),
});

const frame = /^\s+at (?:.*\()?(?:file:\/\/)?(\/.*:\d+:\d+)\)?$/m;

/** File, line and column of a thrown error: the only part of its stack that cannot quote what a person typed. */
export function placeOf(error: unknown): string | undefined {
  return error instanceof Error ? frame.exec(error.stack ?? "")?.[1] : undefined;
}
