import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { secondsPerDay } from "../../../domain/instant.ts";
import { firstPriceLists } from "../../../domain/pricing/price-list.ts";
import type { EventStore } from "../../../infra/event-store/event-store.ts";
import { createStorageWatch } from "../../../infra/telemetry/storage/storage-watch.ts";
import type { OrderDependencies } from "../../../services/orders/dependencies.ts";
import { createSavedDrafts } from "../../../services/orders/drafts/saved-drafts.ts";
import { createOrders } from "../../../services/orders/orders.ts";
import { createCheckouts } from "../../../services/orders/payments/checkouts.ts";
import { sweepVault } from "../../../services/policies/purging/sweep-vault.ts";
import { createEngine } from "../../../services/policies/work/engine.ts";
import type { WorkTable } from "../../../services/policies/work/work-table.ts";
import type { Automation } from "../../../services/providers/gro/automation.ts";
import type { Mail, Mailer } from "../../../services/providers/smtp/mailer.ts";
import type { Payments } from "../../../services/providers/stripe/payments.ts";
import { createTickets } from "../../../services/tickets/tickets.ts";
import type { BlindIndex } from "../../../services/vault/blind-index.ts";
import { idDeriver, type Vault } from "../../../services/vault/vault.ts";
import { testDraftMails, testMails, testTicketMails } from "../../../testing/providers/fake-providers.ts";
import { testSettings } from "../../../testing/services/task-fixture.ts";
import { type FollowerParts, follow, isFollowing } from "./follower.ts";
import type { Arrival, Remote } from "./network.ts";
import type { Life, Machine } from "./virtual-time.ts";

/** As in production, but an order that is not paid expires after ten minutes, and contact data is kept as long. */
export const settings = {
  ...testSettings,
  unpaidExpiresAfterSeconds: 600,
  contactRetentionDays: 600 / secondsPerDay,
};

/** What staff may give back of one order without a second person. */
export const refundLimitPence = 2_000;

const sweepEverySeconds = 30;

/** What machines share, and only reach over the network. */
export type Shared = FollowerParts & {
  readonly random: () => number;
  readonly newId: () => string;
  readonly store: EventStore;
  readonly vault: Vault;
  readonly payments: Payments;
  readonly automation: Automation;
  /** The mail server, as a call reaches it. */
  readonly mailer: (arrival: Arrival) => Mailer;
  /** A worker's heartbeat has arrived. */
  readonly beaten: (life: Life) => void;
  /** The order of records that were sealed. */
  readonly subjectOf: (recordIds: readonly string[]) => string;
};

/** What needs no network. */
const local: ReadonlySet<string | symbol> = new Set(["readWebhook", "readNotice", "recordsOfAppend"]);

/** The port, each of its calls carried by the network. */
function remote<Port extends object>(shared: Shared, life: Life, of: Remote, port: Port): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function" || local.has(name)) return member;
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
  othersWithApplication: async () => new Map(),
  unindexed: async () => [],
};

export type Product = {
  /** What its requests are handled with. */
  readonly deps: OrderDependencies;
  /** Under which ids its worker has lived. */
  readonly workers: ReadonlySet<string>;
  /** Lets go of all its work, after what is under way. */
  stop(): Promise<void>;
};

/** Starts gateway, policies and workers on a machine. */
export function startProduct(shared: Shared, machine: Machine): Product {
  const { time, random, newId, network, rows, follower } = shared;
  const now = () => new Date(time.wallMs(machine));
  const life: Life = { machine, life: machine.life };
  const at =
    <T>(of: Remote) =>
    (name: string, effect: () => Promise<T>) =>
      network.call(life, of, name, effect);
  const workers = new Set<string>();
  const plain = rows.tableOf((name, effect) =>
    network.call(life, "list", name, async () => {
      const result = await effect();
      // A late one, whose row is gone, holds off no other worker.
      if (name === "beat" && result !== undefined) shared.beaten(life);
      return result;
    }),
  );
  const table: WorkTable = {
    ...plain,
    beat: (worker) => {
      workers.add(worker);
      return plain.beat(worker);
    },
  };
  const log = pino({ level: "silent" });
  const store = remote(shared, life, "log", shared.store);
  const vault = remote(shared, life, "vault", shared.vault);
  const streams = { store, random, now };
  const deps: OrderDependencies = {
    orders: createOrders(streams),
    tickets: createTickets(streams),
    drafts: createSavedDrafts(streams),
    checkouts: createCheckouts(streams),
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
  const parts = {
    ...{ table, deps, settings, storage, now, log, newId },
    automation: remote(shared, life, "gro", shared.automation),
    mailer: {
      send: (mail: Mail) =>
        network.call(life, "mail", "send", (arrival) => shared.mailer(arrival).send(mail)),
      close: async () => undefined,
    },
    mails: testMails,
    ticketMails: testTicketMails,
    draftMails: testDraftMails,
    finder: noIndex,
    confirmLog: async () => undefined,
    isFollowing: () => isFollowing(shared, life),
    wakeAnother: async () => undefined,
  };
  const engine = createEngine(parts);

  const followedUntil = async () =>
    (await shared.store.head()) === follower.checkpoint ? new Date(time.nowMs) : undefined;
  const stopping = new AbortController();

  async function sweep(): Promise<void> {
    const sweeping = { ...parts, ...deps, index: noIndex, followedUntil };
    await sweepVault(sweeping, stopping.signal).catch((error: unknown) => storage.suspect(error));
  }

  async function sweepForEver(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweep();
      await delay(sweepEverySeconds * 1000);
    }
  }

  storage.onBack(() => void sweep());
  engine.start();
  const tasks = { ...parts, ...deps, engine };
  const following = follow(shared, { life, store, storage, tasks, stopping: stopping.signal });
  void sweepForEver();
  const stop = async () => {
    stopping.abort();
    await Promise.all([following, engine.stop()]);
  };
  return { deps, workers, stop };
}
