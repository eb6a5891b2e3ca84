import { beginning, type EventStore, type Position } from "../../infra/event-store/event-store.ts";
import { type FollowerStatus, usualMostParked } from "../../infra/following/follower.ts";
import type { FollowerWatch } from "../../infra/following/follower-turn.ts";
import type { FollowerKey } from "../../infra/following/lease.ts";
import type { Subscribing, Subscription } from "../../infra/following/subscription/subscribing.ts";
import { createSubscription } from "../../infra/following/subscription/subscription.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { trustedStorage } from "../../infra/telemetry/storage/storage-watch.ts";
import { createBlindIndex } from "../vault/blind-index.ts";
import { beginRules, followOlderTasks, isEverythingListed } from "./following/follow-older-tasks.ts";
import { tasksPolicy } from "./following/follow-tasks.ts";
import { contactsFollower, contactsPolicy } from "./following/index-contacts.ts";
import { askOverdueEverySeconds, createOverdueInquiry } from "./overdue/ask-overdue.ts";
import { overdueFollower, overduePolicy } from "./overdue/overdue-list.ts";
import { openPaymentsFollower, openPaymentsPolicy } from "./payments/reconcile-list.ts";
import { createReconciliation, reconcileEverySeconds } from "./payments/reconcile-payments.ts";
import { createFollowedUntil } from "./purging/sweep-vault.ts";
import { createSweep } from "./sweep.ts";
import type { TaskDependencies, TaskWatch } from "./task-dependencies.ts";
import { createEngine } from "./work/engine.ts";
import { standInForPrevious } from "./work/previous-engine.ts";
import { createWorkTable, taskRules, tasksFollower } from "./work/work-table.ts";
import type { Clock } from "./work/worker-lease.ts";

type PoliciesParts = Omit<TaskDependencies, "finder"> & {
  store: EventStore;
  pool: Pool;
  jobs: Jobs;
  keyRing: KeyRing;
  /** Keys created before this belong to another database; null when the start of this one was not recorded. */
  begunAt: Date | null;
  sweepEverySeconds: number;
  /** Interval for checking open payments; once a minute by default. */
  reconcileEverySeconds?: number;
  /** Interval for checking overdue orders; every ten minutes by default. */
  askOverdueEverySeconds?: number;
  newId: () => string;
  /** The process' own, if policies are not all that follows the log in it. */
  subscription?: Subscription;
  watch?: FollowerWatch;
  taskWatch?: TaskWatch;
  /** Overrides the rules version, for tests of a deploy. */
  rules?: number;
  /** Another one than this machine's, for tests. */
  clock?: Clock;
};

export const policyFollowers: readonly FollowerKey[] = [
  tasksFollower(),
  contactsFollower,
  openPaymentsFollower,
  overdueFollower,
];

export type Policies = {
  /**
   * Sweeps what fell due in the meantime, then follows the log and works.
   * @throws OtherLogAnswers before anything is touched, when the log is not the database's own
   */
  start(): Promise<void>;
  /** Waits for work in progress, then stops. */
  stop(): Promise<void>;
  status(): Promise<FollowerStatus>;
  /** True once policies, in any process, reach the position that ended the log when this was first called. */
  hasCaughtUp(): Promise<boolean>;
  /** Whether tasks of older orders were derived under the current rules. New events do not wait for this. */
  isEverythingListed(): Promise<boolean>;
};

/** Derives from events what is owed, and performs it. */
export function createPolicies(parts: PoliciesParts): Policies {
  const { pool, store, deps, jobs, sweepEverySeconds, storage = trustedStorage, rules = taskRules } = parts;
  const table = createWorkTable(pool, rules);
  const index = createBlindIndex(parts);
  const previous = standInForPrevious(
    pool,
    () => void engine.look(),
    (error) => storage.suspect(error),
    parts.clock,
  );
  const engine = createEngine({
    ...parts,
    ...{ table, finder: index, mayAct: previous.mayAct, isFollowing: () => tasks.isFollowing },
    // One that waits already will do.
    wakeAnother: () => jobs.add("look"),
  });
  const { orders, tickets, drafts, vault } = deps;
  const subscription = parts.subscription ?? createSubscription({ ...parts, name: "policies" });
  const follow = (policy: Subscribing) => subscription.add({ ...policy, mostParked: usualMostParked });
  const others = [
    contactsPolicy({ ...parts, orders, tickets, drafts, vault, index }),
    openPaymentsPolicy,
    overduePolicy,
  ].map(follow);
  const following = { ...parts, orders, tickets, drafts, rules, engine };
  const tasks = follow(tasksPolicy(following));
  const older = followOlderTasks(following);
  const followers = [tasks, older, ...others];
  const reconciliation = createReconciliation({
    pool,
    deps,
    confirmLog: parts.confirmLog,
    ...(parts.storage && { storage }),
    everySeconds: parts.reconcileEverySeconds ?? reconcileEverySeconds,
  });
  const inquiry = createOverdueInquiry({
    ...parts,
    everySeconds: parts.askOverdueEverySeconds ?? askOverdueEverySeconds,
  });
  const sweep = createSweep({
    ...parts,
    followedUntil: createFollowedUntil(parts),
    index,
    table,
    orders,
    tickets,
    drafts,
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
      await previous.start();
      engine.start();
      stopWork = await jobs.work(() => engine.look());
      await beginRules(pool, store, rules);
      for (const follower of followers) follower.start();
      sweep.start();
      reconciliation.start();
      // With submission by hand there is no service to ask.
      if (!parts.settings.submissionByHand) inquiry.start();
    },
    async stop() {
      await Promise.all([
        sweep.stop(),
        reconciliation.stop(),
        inquiry.stop(),
        ...followers.map((each) => each.stop()),
        engine.stop(),
        stopWork(),
      ]);
      await previous.stop();
    },
    status: async () => {
      const statuses = await Promise.all(followers.map((follower) => follower.status()));
      return statuses.find(({ state }) => state === "stopped") ?? (await tasks.status());
    },
    hasCaughtUp: async () => {
      endAtFirst ??= await store.head();
      const { position } = await tasks.status();
      // Back at the beginning: its row was deleted while this process ran.
      hasCaughtUp = position >= endAtFirst || (hasCaughtUp && position !== beginning);
      return hasCaughtUp;
    },
    isEverythingListed: () => isEverythingListed(pool, rules),
  };
}
