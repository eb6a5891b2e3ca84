import { correlated } from "../../../infra/tracing/correlation.ts";
import type { AnyDuty } from "../subject.ts";
import type { Outcome } from "../task-dependencies.ts";

/** What is owed to whom, and the request of the outside world that it follows from. */
export type DutyInHand = {
  readonly subjectId: string;
  readonly name: string;
  readonly kind: AnyDuty["kind"];
  readonly correlationId: string;
};

/** Looks on while duties are listed and done, each on behalf of the request that it follows from. */
export type DutyWatch = {
  /** Lists what a subject is owed after an event. */
  listing(subjectId: string, correlationId: string, work: () => Promise<void>): Promise<void>;
  doing(duty: DutyInHand, work: () => Promise<Outcome>): Promise<Outcome>;
  /** How many applications should have been destroyed by now, found at each round of the sweep. */
  late(purges: number): void;
};

/** Looks away. */
export const unwatchedDuties: DutyWatch = {
  listing: (_subjectId, correlationId, work) => correlated(correlationId, work),
  doing: ({ correlationId }, work) => correlated(correlationId, work),
  late: () => undefined,
};
