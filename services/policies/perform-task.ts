import { Refused } from "../../domain/decider.ts";
import { StreamUnreadable } from "../../infra/event-store/stream-unreadable.ts";
import { nameOfError } from "../../infra/following/follower-faults.ts";
import { confirmedBy } from "../../infra/log-binding/confirmed-reads.ts";
import { isStorageError } from "../../infra/telemetry/storage/storage-watch.ts";
import { correlated } from "../../infra/telemetry/tracing/tracing.ts";
import type { OnBehalf } from "../orders/orders.ts";
import { idOf, type Subject, subjectIfKnown } from "./subject.ts";
import { type TaskDependencies, type TaskWatch, unwatchedTasks } from "./task-dependencies.ts";
import type { Performable } from "./tasks/performable.ts";
import { LeaseLost } from "./work/worker-lease.ts";

export type PerformTaskDependencies = TaskDependencies & { readonly taskWatch?: TaskWatch };

/** Why a task is still owed after an attempt: a code, because a message may quote a person. Undefined if it was done. */
export type Failure = string | undefined;

/**
 * Performs a task of a subject that this process owns. Safe to repeat.
 * @throws LeaseLost, and errors of our own storage: neither is an attempt
 */
export async function performTask(
  parts: PerformTaskDependencies,
  subject: Subject,
  { owed: { name, kind }, perform }: Performable,
): Promise<Failure> {
  const { deps, log, taskWatch = unwatchedTasks } = parts;
  const subjectId = idOf(subject);
  const by = onBehalfOf(subject, deps);
  const { correlationId } = by;
  // Logs a failure under the id of the request that caused it.
  return correlated(correlationId, async () => {
    try {
      const outcome = await taskWatch.doing({ subjectId, name, kind, correlationId }, () => perform(by));
      return outcome === "done" ? undefined : outcome;
    } catch (error) {
      if (isStorageError(error) || error instanceof LeaseLost) throw error;
      if (error instanceof Refused) {
        // The order changed meanwhile. The next look decides whether the task still applies.
        log.info({ subjectId, task: name, rule: error.rule }, "a task was refused");
        return "refused";
      }
      if (error instanceof StreamUnreadable) {
        log.info({ subjectId, task: name, reason: error.reason }, "a task waits for a stream to be repaired");
        return "unreadable";
      }
      const code = nameOfError(error) ?? "unknown";
      log.warn({ subjectId, task: name, code, place: placeOf(error) }, "a task failed");
      return code;
    }
  });
}

/**
 * A subject from the log, its whole stream verified. Undefined if the log does not hold it, or cannot be read: then
 * nothing is sent, purged or refunded.
 */
export async function readSubject(
  { deps, confirmLog, log }: Pick<TaskDependencies, "deps" | "confirmLog" | "log">,
  subjectId: string,
): Promise<Subject | undefined> {
  try {
    const subject = await confirmedBy(confirmLog, () => subjectIfKnown(deps, subjectId));
    // What is owed came from an event: a log without that event says nothing about it.
    if (!subject)
      log.warn({ subjectId }, "tasks are listed for an order or ticket that the log does not hold");
    return subject;
  } catch (error) {
    if (!(error instanceof StreamUnreadable)) throw error;
    log.info({ subjectId, reason: error.reason }, "tasks wait for a stream to be repaired");
    return undefined;
  }
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
