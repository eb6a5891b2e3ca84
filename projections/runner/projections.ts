import type { Position } from "../../infra/event-store/event-store.ts";
import { type CataloguedProjection, catalogue as thisCodes } from "../catalogue.ts";
import { createQueries, type Queries } from "../queries.ts";
import type { ProjectionHealth, RunnerParts } from "./runner.ts";
import { createVersionUses } from "./version-uses.ts";

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
  /** Other versions than this code's, for tests of a deploy. */
  catalogue?: readonly CataloguedProjection[];
};

/** Puts the read models together: all of them, in the versions this code was built with. */
export function createProjections(options: ProjectionsOptions): Projections {
  const { pool, now, fold = true, catalogue = thisCodes } = options;
  const uses = createVersionUses(options, catalogue);
  const running = catalogue.map((projection) => projection.run(options));
  return {
    async start() {
      await uses.begin();
      for (const projection of running) await projection.prepare();
      if (fold) for (const projection of running) projection.start();
    },
    async stop() {
      await Promise.all(running.map((projection) => projection.stop()));
      await uses.end();
    },
    ready: () => Promise.all(running.map((projection) => projection.health(now()))),
    async waitFor(position, timeoutMs) {
      const reached = await Promise.all(running.map((projection) => projection.waitFor(position, timeoutMs)));
      return reached.every(Boolean);
    },
    queries: createQueries(pool),
  };
}
