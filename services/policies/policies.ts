import type { EventStore } from "../../infra/event-store/event-store.ts";
import type { FollowerStatus } from "../../infra/following/follower.ts";
import type { FollowerWatch } from "../../infra/following/follower-watch.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { createBlindIndex } from "../vault/blind-index.ts";
import { dutyHandler, dutyJobKind } from "./duty-jobs.ts";
import { createDutyList } from "./duty-list.ts";
import type { DutyWatch } from "./duty-watch.ts";
import type { DutyParts } from "./errand.ts";
import { followContacts } from "./follow-contacts.ts";
import { followDuties } from "./follow-duties.ts";
import { createPerformDuty } from "./perform-duty.ts";
import { createSweep } from "./sweep.ts";

export type PoliciesParts = Omit<DutyParts, "list"> & {
  store: EventStore;
  pool: Pool;
  jobs: Jobs;
  keyRing: KeyRing;
  sweepEverySeconds: number;
  newId: () => string;
  watch?: FollowerWatch;
  dutyWatch?: DutyWatch;
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
  const { pool, desk, jobs, sweepEverySeconds } = parts;
  const list = createDutyList(pool);
  const perform = createPerformDuty({ ...parts, list });
  const { orders, tickets, vault } = desk;
  const follower = followDuties({ ...parts, orders, tickets, horizonMs: sweepEverySeconds * 2000 });
  const index = createBlindIndex(parts);
  const contacts = followContacts({ ...parts, orders, tickets, vault, index });
  const sweep = createSweep({
    ...parts,
    index,
    list,
    perform,
    orders,
    tickets,
    vault,
    everySeconds: sweepEverySeconds,
  });
  let stopWork = async (): Promise<void> => undefined;
  return {
    async start() {
      await sweep.once();
      stopWork = await jobs.work({ [dutyJobKind]: dutyHandler(perform) }, { concurrency });
      follower.start();
      contacts.start();
      sweep.start();
    },
    async stop() {
      await Promise.all([sweep.stop(), follower.stop(), contacts.stop(), stopWork()]);
    },
    status: async () => {
      const [duties, people] = [await follower.status(), await contacts.status()];
      return people.state === "stopped" ? people : duties;
    },
  };
}
