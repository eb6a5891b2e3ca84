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
import { createFollowedUntil } from "./orphans.ts";
import { askOverdueEverySeconds, createOverdueInquiry } from "./overdue/ask-overdue.ts";
import { followOverdue } from "./overdue/follow-overdue.ts";
import { createPerformDuty } from "./perform-duty.ts";
import { followOpenPayments } from "./reconcile-follow.ts";
import { createReconciliation, reconcileEverySeconds } from "./reconcile-payments.ts";
import { createSweep } from "./sweep.ts";

export type PoliciesParts = Omit<DutyParts, "list"> & {
  store: EventStore;
  pool: Pool;
  jobs: Jobs;
  keyRing: KeyRing;
  /** Keys in use before are another database's; null where nobody wrote down when this one began. */
  begunAt: Date | null;
  sweepEverySeconds: number;
  /** How often the payment provider is asked about what is open there; once a minute unless told. */
  reconcileEverySeconds?: number;
  /** How often the automation service is asked about overdue orders; every ten minutes unless told. */
  askOverdueEverySeconds?: number;
  newId: () => string;
  watch?: FollowerWatch;
  dutyWatch?: DutyWatch;
};

export type Policies = {
  /**
   * First looks at what fell due while nobody was there, then follows the log and works.
   * @throws OtherLogAnswers before anything is touched, when the log is not the one of the database
   */
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
  const openPayments = followOpenPayments(parts);
  const reconciliation = createReconciliation({
    pool,
    desk,
    confirmLog: parts.confirmLog,
    everySeconds: parts.reconcileEverySeconds ?? reconcileEverySeconds,
  });
  const overdue = followOverdue(parts);
  const inquiry = createOverdueInquiry({
    ...parts,
    everySeconds: parts.askOverdueEverySeconds ?? askOverdueEverySeconds,
  });
  const sweep = createSweep({
    ...parts,
    followedUntil: createFollowedUntil(parts),
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
      await parts.confirmLog();
      await sweep.once();
      stopWork = await jobs.work({ [dutyJobKind]: dutyHandler(perform) }, { concurrency });
      follower.start();
      contacts.start();
      openPayments.start();
      overdue.start();
      sweep.start();
      reconciliation.start();
      // By hand there is no service to ask.
      if (!parts.settings.submissionByHand) inquiry.start();
    },
    async stop() {
      const followers = [follower, contacts, openPayments, overdue];
      await Promise.all([
        sweep.stop(),
        reconciliation.stop(),
        inquiry.stop(),
        ...followers.map((each) => each.stop()),
        stopWork(),
      ]);
    },
    status: async () => {
      const duties = await follower.status();
      const others = [await contacts.status(), await openPayments.status(), await overdue.status()];
      return others.find(({ state }) => state === "stopped") ?? duties;
    },
  };
}
