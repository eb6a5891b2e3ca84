import type { EventStore } from "../../infra/event-store/event-store.ts";
import type { FollowerStatus } from "../../infra/following/follower.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import { dutyJobKind } from "./duty-jobs.ts";
import type { DutyParts } from "./errand.ts";
import { followOrders } from "./follow-orders.ts";
import { createDutyHandler } from "./perform-duty.ts";
import { createSweep } from "./sweep.ts";

export type PoliciesParts = DutyParts & {
  store: EventStore;
  jobs: Jobs;
  keyRing: KeyRing;
  sweepEverySeconds: number;
  newId: () => string;
};

export type Policies = {
  /** First looks at what fell due while nobody was there, then follows the log and works. */
  start(): Promise<void>;
  /** Ends after what is in hand. */
  stop(): Promise<void>;
  status(): Promise<FollowerStatus>;
};

const concurrency = 8;

/** What happens by itself: events become duties, duties become jobs, and the sweep brings back what was lost. */
export function createPolicies(parts: PoliciesParts): Policies {
  const { store, pool, keyRing, desk, jobs, settings, sweepEverySeconds, now, newId, log } = parts;
  const horizonMs = sweepEverySeconds * 2000;
  const follower = followOrders({
    store,
    pool,
    orders: desk.orders,
    jobs,
    settings,
    horizonMs,
    now,
    newId,
    log,
  });
  const sweep = createSweep({
    pool,
    keyRing,
    orders: desk.orders,
    vault: desk.vault,
    jobs,
    settings,
    everySeconds: sweepEverySeconds,
    now,
    log,
  });
  return {
    async start() {
      await sweep.once();
      follower.start();
      await jobs.work({ [dutyJobKind]: createDutyHandler(parts) }, { concurrency });
      sweep.start();
    },
    async stop() {
      await sweep.stop();
      await follower.stop();
    },
    status: () => follower.status(),
  };
}
