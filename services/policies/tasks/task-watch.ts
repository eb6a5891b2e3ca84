import { correlated } from "../../../infra/telemetry/tracing/tracing.ts";
import type { AnyTask } from "../subject.ts";
import type { Outcome } from "../task-dependencies.ts";

/** A subject's task, and the outside request that caused it. */
export type TaskInHand = {
  readonly subjectId: string;
  readonly name: string;
  readonly kind: AnyTask["kind"];
  readonly correlationId: string;
};

/** Observes listing and performing of tasks, each on behalf of the request that caused it. */
export type TaskWatch = {
  /** Lists a subject's tasks after an event. */
  listing(subjectId: string, correlationId: string, work: () => Promise<void>): Promise<void>;
  doing(task: TaskInHand, work: () => Promise<Outcome>): Promise<Outcome>;
  /** Number of overdue application purges, at each round of the sweep. */
  late(purges: number): void;
};

export const unwatchedTasks: TaskWatch = {
  listing: (_subjectId, correlationId, work) => correlated(correlationId, work),
  doing: ({ correlationId }, work) => correlated(correlationId, work),
  late: () => undefined,
};
