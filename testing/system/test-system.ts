import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, vi } from "vitest";
import type { Order } from "../../domain/order/state.ts";
import type { TaskSettings } from "../../domain/order/tasks/task.ts";
import { firstPriceLists } from "../../domain/pricing/price-list.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { createBullMqJobs } from "../../infra/jobs/bullmq-jobs.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import { openKeyRing } from "../../infra/key-ring/file-key-ring.ts";
import { type GuardedEventStore, guardEventStore } from "../../infra/log-binding/guarded-event-store.ts";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { createSavedDrafts } from "../../services/orders/drafts/saved-drafts.ts";
import { createOrders } from "../../services/orders/orders.ts";
import { createCheckouts } from "../../services/orders/payments/checkouts.ts";
import { createPolicies, type Policies } from "../../services/policies/policies.ts";
import { createTickets } from "../../services/tickets/tickets.ts";
import { createVault } from "../../services/vault/postgres-vault.ts";
import { idDeriver } from "../../services/vault/vault.ts";
import { vaultTable } from "../../services/vault/vault-rows.ts";
import { testDatabase } from "../postgres/test-database.ts";
import {
  type TestAutomation,
  type TestMailer,
  testAutomation,
  testDraftMails,
  testMailer,
  testMails,
  testTicketMails,
} from "../providers/fake-providers.ts";
import { createMemoryPayments } from "../providers/memory-payments.ts";
import { SkippingClock } from "../services/skipping-clock.ts";
import { soon } from "../setup/patience.ts";
import type { TestPayingDependencies } from "./orders-fixture.ts";

/** What a test system on another database keeps: the fake providers and the key folders. */
type Surroundings = {
  keyDir: string;
  payments: ReturnType<typeof createMemoryPayments>;
  automation: TestAutomation;
  mailer: TestMailer;
  clock: SkippingClock;
};

type TestDatabase = Awaited<ReturnType<typeof testDatabase>>;

/** Policies on a real database, vault, key ring and queue. Only external services are fakes. */
export type TestSystem = {
  /** Stops everything, leaving database and keys to another test system. */
  disconnect(): Promise<void>;
  /** Stops everything, and removes database and keys. */
  [Symbol.asyncDispose](): Promise<void>;
  readonly around: Surroundings;
  readonly database: TestDatabase;
  readonly deps: TestPayingDependencies;
  readonly pool: Pool;
  readonly store: GuardedEventStore;
  readonly confirmLog: () => Promise<void>;
  readonly logLines: string[];
  skip(seconds: number): void;
  /** A connection to the system's queue. */
  openJobs(): Promise<Jobs>;
  /** A process that runs policies, with parts replaced by the test. Stopped with the system, unless before. */
  begin(changes?: Partial<Parameters<typeof createPolicies>[0]>): Promise<Policies>;
  order(orderId: string): Promise<Order>;
  eventTypes(orderId: string): Promise<string[]>;
  eventData(orderId: string, type: string): Promise<unknown>;
  /** Names of the tasks that are listed for an order, ticket or draft. */
  tasksOf(subjectId: string): Promise<string[]>;
};

/** Short delays: a test sees the end of an order within a second or two. */
export const hasty: TaskSettings = {
  purgeAfterSeconds: 0,
  unpaidExpiresAfterSeconds: 86_400,
  contactRetentionDays: 365,
  submissionRequestedWithinSeconds: 0,
};

/** Rare enough not to happen within a test. */
export const noSweepSeconds = 3_600;

export function surroundings(): Surroundings {
  const clock = new SkippingClock();
  return {
    keyDir: mkdtempSync(join(tmpdir(), "certificates-policies-")),
    payments: createMemoryPayments(),
    automation: testAutomation(clock.now),
    mailer: testMailer(),
    clock,
  };
}

/** Follows the log to its end, then skips an hour: records not named by any event by now never will be. */
export async function followForAnHour(system: TestSystem): Promise<void> {
  let hasFollowed = false;
  while (!hasFollowed) {
    const policies = await system.begin({ sweepEverySeconds: noSweepSeconds });
    await vi.waitFor(async () => {
      // Read anew each time: jobs append meanwhile.
      const end = { state: "following", position: await system.store.head() };
      expect(await policies.status()).toMatchObject(end);
    }, soon);
    await policies.stop();
    // Events appended by jobs during the stop are not followed yet.
    hasFollowed = (await policies.status()).position === (await system.store.head());
  }
  system.skip(3_600);
}

/** Creates a test system on a new database, or on a given one. */
export async function openTestSystem(
  around: Surroundings = surroundings(),
  database?: TestDatabase,
): Promise<TestSystem> {
  await using closing = new AsyncDisposableStack();
  const { connectionString, drop } = database ?? (await testDatabase());
  const { clock } = around;
  const { now } = clock;
  const pool = closing.adopt(createPool(connectionString), (open) => open.end());
  const postgres = createPostgresEventStore({ pool, connectionString, companions: vaultTable });
  closing.defer(() => postgres.close());
  const store = guardEventStore({
    store: postgres,
    bound: { logId: await postgres.logId(), newest: undefined },
    onOther: () => undefined,
    onBack: () => undefined,
  });
  const confirmLog = () => store.confirm();
  const keyRing = await openKeyRing({ directory: around.keyDir, now });
  const logLines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void logLines.push(line) });
  const newId = () => randomUUID();
  const deps = {
    orders: createOrders({ store, random: Math.random, now }),
    tickets: createTickets({ store, random: Math.random, now }),
    drafts: createSavedDrafts({ store, random: Math.random, now }),
    checkouts: createCheckouts({ store, random: Math.random, now }),
    vault: createVault({ pool, keyRing, now, storedByAppends: true }),
    payments: around.payments,
    deriveId: idDeriver(Buffer.alloc(32, 1)),
    priceLists: () => firstPriceLists,
    unpaidExpiresAfterSeconds: hasty.unpaidExpiresAfterSeconds,
    now,
    newId,
    log,
  };
  const running = closing.use(new AsyncDisposableStack());
  const openJobs = async () => {
    const options = { connectionString, queueName: "work", log };
    return running.adopt(await createBullMqJobs(options), (jobs) => jobs.close());
  };
  const { automation, mailer } = around;
  const world = {
    automation,
    mailer,
    mails: testMails,
    ticketMails: testTicketMails,
    draftMails: testDraftMails,
  };
  const parts = {
    ...{ ...world, deps, settings: hasty, now, log, store, confirmLog, pool, keyRing, begunAt: null },
    ...{ newId, clock: clock.clock },
  };
  const moved = closing.move();
  return {
    around,
    database: { connectionString, drop },
    deps,
    pool,
    store,
    confirmLog,
    logLines,
    skip: (seconds) => clock.skip(seconds),
    openJobs,
    begin: async (changes = {}) => {
      const jobs = changes.jobs ?? (await openJobs());
      const policies = createPolicies({ ...parts, jobs, sweepEverySeconds: 0.3, ...changes });
      running.defer(() => policies.stop());
      await policies.start();
      return policies;
    },
    order: async (orderId) => (await deps.orders.load(orderId)).order,
    eventTypes: async (orderId) => (await store.readStream(`order-${orderId}`)).map(({ type }) => type),
    eventData: async (orderId, type) =>
      (await store.readStream(`order-${orderId}`)).find((event) => event.type === type)?.data,
    tasksOf: async (subjectId) => {
      const { rows } = await pool.query<{ name: string }>(
        "select task ->> 'name' as name from work, jsonb_array_elements(tasks) as task where subject_id = $1",
        [subjectId],
      );
      return rows.map(({ name }) => name);
    },
    disconnect: () => moved.disposeAsync(),
    [Symbol.asyncDispose]: async () => {
      await moved.disposeAsync();
      await drop();
      rmSync(around.keyDir, { recursive: true, force: true });
    },
  };
}
