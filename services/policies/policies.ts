import { beginning, type EventStore, type Position } from "../../infra/event-store/event-store.ts";
import type { FollowerStatus } from "../../infra/following/follower.ts";
import type { FollowerWatch } from "../../infra/following/follower-turn.ts";
import type { FollowerKey } from "../../infra/following/lease.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { trustedStorage } from "../../infra/storage/storage-watch.ts";
import { createBlindIndex } from "../vault/blind-index.ts";
import { contactsFollower, followContacts } from "./following/follow-contacts.ts";
import { beginRules, followOlderDuties, isEverythingListed } from "./following/follow-older-tasks.ts";
import { followDuties } from "./following/follow-tasks.ts";
import { askOverdueEverySeconds, createOverdueInquiry } from "./overdue/ask-overdue.ts";
import { followOverdue, overdueFollower } from "./overdue/follow-overdue.ts";
import { followOpenPayments, openPaymentsFollower } from "./payments/reconcile-follow.ts";
import { createReconciliation, reconcileEverySeconds } from "./payments/reconcile-payments.ts";
import { createPerformDuty } from "./perform-task.ts";
import { createFollowedUntil } from "./purging/orphans.ts";
import { createSweep } from "./sweep.ts";
import type { DutyParts } from "./task-dependencies.ts";
import { dutyHandler, dutyJobKind } from "./tasks/task-jobs.ts";
import { createDutyList, dutiesFollower, dutyRules } from "./tasks/task-list.ts";
import type { DutyWatch } from "./tasks/task-watch.ts";

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
  /** Another version of the rules than this code's, for tests of a deploy. */
  rules?: number;
};

/** What follows the log for policies, in this code's versions. */
export const policyFollowers: readonly FollowerKey[] = [
  dutiesFollower(),
  contactsFollower,
  openPaymentsFollower,
  overdueFollower,
];

export type Policies = {
  /**
   * First looks at what fell due while nobody was there, then follows the log and works.
   * @throws OtherLogAnswers before anything is touched, when the log is not the one of the database
   */
  start(): Promise<void>;
  /** Ends after what is in hand. */
  stop(): Promise<void>;
  status(): Promise<FollowerStatus>;
  /** True from the moment that policies have come to the end that the log had when this was first asked, here or in another process. */
  hasCaughtUp(): Promise<boolean>;
  /** Whether what older orders are owed was derived by today's rules: what happens now does not wait for it. */
  isEverythingListed(): Promise<boolean>;
};

const concurrency = 8;

/** What happens by itself: events become duties, duties become jobs, and the sweep brings back what was lost. */
export function createPolicies(parts: PoliciesParts): Policies {
  const { pool, store, desk, jobs, sweepEverySeconds, storage = trustedStorage, rules = dutyRules } = parts;
  const list = createDutyList(pool, rules);
  const stopping = new AbortController();
  const perform = createPerformDuty({ ...parts, list, stopping: stopping.signal });
  const { orders, tickets, vault } = desk;
  const dutiesParts = { ...parts, orders, tickets, horizonMs: sweepEverySeconds * 2000 };
  const follower = followDuties(dutiesParts);
  const older = followOlderDuties(dutiesParts);
  const index = createBlindIndex(parts);
  const contacts = followContacts({ ...parts, orders, tickets, vault, index });
  const openPayments = followOpenPayments(parts);
  const reconciliation = createReconciliation({
    pool,
    desk,
    confirmLog: parts.confirmLog,
    ...(parts.storage && { storage }),
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
  storage.onBack(() => sweep.soon());
  let stopWork = async (): Promise<void> => undefined;
  let endAtFirst: Position | undefined;
  let hasCaughtUp = false;
  return {
    async start() {
      await parts.confirmLog();
      await sweep.once();
      stopWork = await jobs.work({ [dutyJobKind]: dutyHandler(perform) }, { concurrency });
      await beginRules(pool, store, rules);
      follower.start();
      older.start();
      contacts.start();
      openPayments.start();
      overdue.start();
      sweep.start();
      reconciliation.start();
      // By hand there is no service to ask.
      if (!parts.settings.submissionByHand) inquiry.start();
    },
    async stop() {
      stopping.abort();
      const followers = [follower, older, contacts, openPayments, overdue];
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
      const others = [older, contacts, openPayments, overdue];
      const statuses = await Promise.all(others.map((other) => other.status()));
      return statuses.find(({ state }) => state === "stopped") ?? duties;
    },
    hasCaughtUp: async () => {
      endAtFirst ??= await store.head();
      const { position } = await follower.status();
      // Back at the beginning: its row was taken away under this process.
      hasCaughtUp = position >= endAtFirst || (hasCaughtUp && position !== beginning);
      return hasCaughtUp;
    },
    isEverythingListed: () => isEverythingListed(pool, rules),
  };
}
