import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { firstPriceLists } from "../../domain/pricing/price-list.ts";
import { beginning, type EventStore, type Position } from "../../infra/event-store/event-store.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import { createStorageWatch } from "../../infra/telemetry/storage/storage-watch.ts";
import { createSavedDrafts } from "../../services/drafts/saved-drafts.ts";
import type { OrderDependencies } from "../../services/orders/dependencies.ts";
import { createOrders } from "../../services/orders/orders.ts";
import { takeUp } from "../../services/policies/following/follow-tasks.ts";
import { concurrency, createTaskWork } from "../../services/policies/policies.ts";
import { sweepVault } from "../../services/policies/purging/sweep-vault.ts";
import { sweepTasks } from "../../services/policies/sweep.ts";
import { taskHandler, taskJobKind } from "../../services/policies/tasks/task-jobs.ts";
import type { Derived } from "../../services/policies/tasks/task-list.ts";
import type { Automation } from "../../services/providers/gro/automation.ts";
import type { Mailer } from "../../services/providers/smtp/mailer.ts";
import type { Payments } from "../../services/providers/stripe/payments.ts";
import { createTickets } from "../../services/tickets/tickets.ts";
import type { BlindIndex } from "../../services/vault/blind-index.ts";
import { idDeriver } from "../../services/vault/record-ids.ts";
import type { Vault } from "../../services/vault/vault.ts";
import { testDraftMails, testMails, testTicketMails } from "../../testing/providers/fake-providers.ts";
import { testSettings } from "../../testing/services/task-fixture.ts";
import type { JobQueue } from "./job-queue.ts";
import type { Network, Remote } from "./network.ts";
import type { TaskRows } from "./task-rows.ts";
import type { Life, Machine, VirtualTime } from "./virtual-time.ts";

/** As in production, but an order that is not paid expires after ten minutes. */
export const settings = { ...testSettings, unpaidExpiresAfterSeconds: 600 };

const sweepEverySeconds = 30;
const leaseMs = 3_000;
const pollMs = 10_000;
const mostEvents = 200;

/** What machines share, and only reach over the network. */
export type Shared = {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly newId: () => string;
  readonly network: Network;
  readonly store: EventStore;
  readonly vault: Vault;
  readonly rows: TaskRows;
  readonly queue: JobQueue;
  readonly payments: Payments;
  readonly automation: Automation;
  readonly mailer: Mailer;
  readonly follower: Follower;
  /** The order of records that were sealed. */
  readonly subjectOf: (recordIds: readonly string[]) => string;
};

/** The follower's row: its checkpoint, and which machine holds the lease. */
export type Follower = {
  checkpoint: Position;
  holder: string;
  heldUntilMs: number;
  /** Called when an event is appended. */
  readonly bell: Set<() => void>;
};

export const newFollower = (): Follower => ({
  checkpoint: beginning,
  holder: "",
  heldUntilMs: 0,
  bell: new Set(),
});

/** The port, each of its calls carried by the network. */
function remote<Port extends object>(shared: Shared, life: Life, of: Remote, port: Port): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function" || name === "readWebhook" || name === "readNotice") return member;
      return (...given: unknown[]) =>
        shared.network.call(life, of, String(name), async () => Reflect.apply(member, target, given));
    },
  });
}

/** Nothing is looked for by name or address here. */
const noIndex: BlindIndex = {
  find: async () => ({ subjects: [], more: false }),
  customerOf: async () => undefined,
  customersOf: async () => new Map(),
  subjectsOf: async () => ({ subjects: [], more: false }),
  write: async () => undefined,
  unindexed: async () => [],
};

/** Starts gateway, policies and workers on a machine. @returns what its requests are handled with */
export function startProduct(shared: Shared, machine: Machine): OrderDependencies {
  const { time, random, newId, network, queue, rows, follower } = shared;
  const now = () => new Date(time.nowMs);
  const life: Life = { machine, life: machine.life };
  const at =
    <T>(of: Remote) =>
    (name: string, effect: () => Promise<T>) =>
      network.call(life, of, name, effect);
  const list = rows.listOf((name, effect) => network.call(life, "list", name, effect));
  const jobs: Jobs = queue.jobsOf((name, effect) => network.call(life, "queue", name, effect));
  const log = pino({ level: "silent" });
  const store = remote(shared, life, "log", shared.store);
  const vault = remote(shared, life, "vault", shared.vault);
  const streams = { store, random, now };
  const deps: OrderDependencies = {
    orders: createOrders(streams),
    tickets: createTickets(streams),
    drafts: createSavedDrafts(streams),
    vault,
    payments: remote(shared, life, "payments", shared.payments),
    deriveId: idDeriver(Buffer.alloc(32, 1)),
    priceLists: () => firstPriceLists,
    unpaidExpiresAfterSeconds: settings.unpaidExpiresAfterSeconds,
    now,
    newId,
    log,
  };
  const storage = createStorageWatch({
    probes: {
      database: () => at("list")("probe", async () => undefined),
      "event store": () => at("log")("probe", async () => undefined),
    },
    log,
  });
  const holds = () => follower.holder === `${machine.name}/${life.life}` && follower.heldUntilMs > time.nowMs;
  const parts = {
    ...{ list, deps, jobs, sweepEverySeconds, settings, storage, now, log, newId },
    automation: remote(shared, life, "gro", shared.automation),
    mailer: remote(shared, life, "mail", shared.mailer),
    mails: testMails,
    ticketMails: testTicketMails,
    draftMails: testDraftMails,
    finder: noIndex,
    confirmLog: async () => undefined,
    isFollowing: holds,
  };
  const { performer, visits, following } = createTaskWork(parts);

  async function follow(): Promise<void> {
    const me = `${machine.name}/${life.life}`;
    void keepLease(me);
    for (;;) {
      const moved = await followOnce(me).catch((error: unknown) => {
        storage.suspect(error);
        return false;
      });
      if (!moved) await Promise.race([new Promise<void>((wake) => follower.bell.add(wake)), delay(pollMs)]);
    }
  }

  /** One batch in one transaction, which fails if another machine moved the checkpoint. */
  async function followOnce(me: string): Promise<boolean> {
    if (!(await renewed(me))) {
      await delay(leaseMs / 3);
      return true;
    }
    return followed();
  }

  /** Not over the network, or most of a run would be renewals: they fail with it and with the machine all the same. */
  async function keepLease(me: string): Promise<void> {
    for (;;) {
      await delay(leaseMs / 3);
      if (follower.holder === me && !network.isAway("list")) follower.heldUntilMs = time.nowMs + leaseMs;
    }
  }

  const renewed = (me: string) =>
    at<boolean>("list")("lease", async () => {
      if (follower.holder !== me && follower.heldUntilMs > time.nowMs) return false;
      follower.holder = me;
      follower.heldUntilMs = time.nowMs + leaseMs;
      return true;
    });

  async function followed(): Promise<boolean> {
    const { checkpoint } = follower;
    const events = await store.readAll(checkpoint, mostEvents);
    const last = events.at(-1);
    if (!last) return false;
    const commits: (() => void)[] = [];
    const listing = {
      followersOf: (orderIds: readonly string[]) =>
        at<string[]>("list")("followersOf", async () => rows.followersOf(orderIds)),
      list: (derived: readonly Derived[], when: Date) =>
        at<ReturnType<TaskRows["plan"]>["changed"]>("list")("listTasks", async () => {
          const { changed, commit } = rows.plan(derived, when);
          commits.push(commit);
          return changed;
        }),
    };
    await takeUp(following, listing, events);
    await at("list")("commit", async () => {
      if (follower.checkpoint !== checkpoint) throw new Error("Another machine follows the log.");
      follower.checkpoint = last.position;
      for (const commit of commits) commit();
    });
    return true;
  }

  const followedUntil = async () =>
    (await shared.store.head()) === follower.checkpoint ? new Date(time.nowMs) : undefined;
  const stopped = new AbortController().signal;

  async function sweep(): Promise<void> {
    const sweeping = { ...parts, ...deps, index: noIndex, followedUntil, perform: performer.byName };
    for (const round of [() => sweepVault(sweeping, stopped), () => sweepTasks(sweeping, stopped)])
      await round().catch((error: unknown) => storage.suspect(error));
  }

  async function sweepForEver(): Promise<void> {
    for (;;) {
      await sweep();
      await delay(sweepEverySeconds * 1000);
    }
  }

  storage.onBack(() => void sweep());
  void jobs.work({ [taskJobKind]: taskHandler(visits) }, { concurrency });
  void follow();
  void sweepForEver();
  return deps;
}
