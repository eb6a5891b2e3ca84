import type { Position } from "../../infra/event-store/event-store.ts";
import type { Subscription, SubscriptionOptions } from "../../infra/following/subscription/subscribing.ts";
import { createSubscription } from "../../infra/following/subscription/subscription.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { catalogue as thisCodes } from "../catalogue.ts";
import { createOrderQueries, type OrderQueries } from "../orders/order-queries.ts";
import { type RegisterQueries, registerQueries } from "../registers/register-queries.ts";
import { type TicketListQueries, ticketListQueries } from "../tickets/ticket-list-queries.ts";
import { type TicketQueries, ticketLookupQueries } from "../tickets/ticket-lookup.ts";
import type { CataloguedProjection } from "./catalogued-projection.ts";
import type { ProjectionHealth } from "./runner.ts";
import { createVersionUses } from "./version-uses.ts";

/** All read models of this process. */
export type Projections = {
  /** Creates the tables, then folds in the background unless `fold` is false. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Health of each; the process is ready when all are `ready`. */
  ready(): Promise<ProjectionHealth[]>;
  /** Waits until every read model has reached a position; false on timeout: it may be stale. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
  readonly queries: Queries;
};

type ProjectionsOptions = Omit<SubscriptionOptions, "name"> & {
  now: () => Date;
  /** The process' own, if read models are not all that follows the log in it. */
  subscription?: Subscription;
  /** False in a process that only reads; another one folds. */
  fold?: boolean;
  /** Versions other than this build's, to test deploys. */
  catalogue?: readonly CataloguedProjection[];
};

/** Creates all read models, in this build's versions. */
export function createProjections(options: ProjectionsOptions): Projections {
  const { pool, now, fold = true, catalogue = thisCodes } = options;
  const uses = createVersionUses(options, catalogue);
  const subscription = options.subscription ?? createSubscription({ ...options, name: "read-models" });
  const running = catalogue.map((projection) => projection.run({ ...options, subscription }));
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

export type Queries = OrderQueries & TicketQueries & RegisterQueries & TicketListQueries;

/** Queries on the read models of this build's versions. */
function createQueries(pool: Pool): Queries {
  return {
    ...createOrderQueries(pool),
    ...ticketLookupQueries(pool),
    ...registerQueries(pool),
    ...ticketListQueries(pool),
  };
}
