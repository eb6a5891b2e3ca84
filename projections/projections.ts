import type { Position } from "../infra/event-store/event-store.ts";
import { catalogue } from "./catalogue.ts";
import { createQueries, type Queries } from "./queries.ts";
import type { ProjectionHealth, RunnerParts } from "./runner.ts";

/** All read models of this process. */
export type Projections = {
  /** Makes the tables, then folds in the background unless told not to. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** How each stands; the process is ready when all are `ready`. */
  ready(): Promise<ProjectionHealth[]>;
  /** Waits, at most so long, until every read model holds what happened up to a position; false: it may be stale. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
  readonly queries: Queries;
};

export type ProjectionsOptions = RunnerParts & {
  now: () => Date;
  /** False in a process that only reads; another one folds. */
  fold?: boolean;
};

/** Puts the read models together: all of them, in the versions this code was built with. */
export function createProjections(options: ProjectionsOptions): Projections {
  const { pool, now, fold = true } = options;
  const running = catalogue.map((projection) => projection.run(options));
  return {
    async start() {
      for (const projection of running) await projection.prepare();
      if (fold) for (const projection of running) projection.start();
    },
    async stop() {
      await Promise.all(running.map((projection) => projection.stop()));
    },
    ready: () => Promise.all(running.map((projection) => projection.health(now()))),
    async waitFor(position, timeoutMs) {
      const reached = await Promise.all(running.map((projection) => projection.waitFor(position, timeoutMs)));
      return reached.every(Boolean);
    },
    queries: createQueries(pool),
  };
}
