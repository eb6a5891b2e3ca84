import { randomUUID } from "node:crypto";
import { pino } from "pino";
import type { Order } from "../../domain/order/state.ts";
import { owed } from "../../domain/order/tasks/owed.ts";
import type { TaskSettings } from "../../domain/order/tasks/task.ts";
import { firstPriceLists } from "../../domain/pricing/price-list.ts";
import type { EventStore } from "../../infra/event-store/event-store.ts";
import { createSavedDrafts } from "../../services/orders/drafts/saved-drafts.ts";
import { createOrders } from "../../services/orders/orders.ts";
import { createCheckouts } from "../../services/orders/payments/checkouts.ts";
import {
  type Failure,
  type PerformTaskDependencies,
  performTask,
  readSubject,
} from "../../services/policies/perform-task.ts";
import type { TaskDependencies } from "../../services/policies/task-dependencies.ts";
import { isEarly, performable } from "../../services/policies/tasks/performable.ts";
import { createTickets } from "../../services/tickets/tickets.ts";
import { idDeriver } from "../../services/vault/vault.ts";
import { createMemoryEventStore } from "../event-store/memory-event-store.ts";
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
import type { TestPayingDependencies } from "../system/orders-fixture.ts";
import { createMemoryVault, type MemoryVault } from "../vault/memory-vault.ts";

/** Tasks in memory, with a clock moved by the test, and fake external services. */
export type TaskBench = TaskDependencies & {
  readonly deps: TestPayingDependencies & { readonly vault: MemoryVault };
  readonly automation: TestAutomation;
  readonly mailer: TestMailer;
  readonly store: EventStore;
  readonly logLines: string[];
  wait(seconds: number): void;
  order(orderId: string): Promise<Order>;
  eventTypes(orderId: string): Promise<string[]>;
  /** Names of tasks that are due now. */
  due(orderId: string): Promise<string[]>;
  /** Performs a task that is due by the start of its name; returns the code if it is still owed. */
  perform: PerformTaskByPrefix;
  /** The same by its full name. */
  performNow: PerformTask;
  /** Performs due tasks repeatedly until none is left. */
  performAll(orderId: string): Promise<void>;
};

type PerformTaskByPrefix = (orderId: string, name: string) => Promise<Failure>;
export type PerformTask = (subjectId: string, name: string) => Promise<Failure>;

export const testSettings: TaskSettings = {
  purgeAfterSeconds: 5,
  unpaidExpiresAfterSeconds: 86_400,
  contactRetentionDays: 365,
  submissionRequestedWithinSeconds: 60,
};

const mostRounds = 50;

type BenchChanges = {
  wrapStore?: (store: EventStore) => EventStore;
  wrapVault?: (vault: MemoryVault) => MemoryVault;
  startsAt?: string;
  confirmLog?: TaskDependencies["confirmLog"];
  /** Another clock than the bench's own, which `wait` moves. */
  now?: () => Date;
};

export function createTaskBench({
  wrapStore = (plain) => plain,
  wrapVault = (plain) => plain,
  startsAt = "2026-11-23T09:30:00.000Z",
  confirmLog = async () => undefined,
  ...changes
}: BenchChanges = {}): TaskBench {
  let clock = Date.parse(startsAt);
  const { now = () => new Date(clock) } = changes;
  const vault = createMemoryVault(undefined, true);
  const store = wrapStore(createMemoryEventStore({ now, take: vault.take }));
  const logLines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void logLines.push(line) });
  const newId = () => randomUUID();
  const deps = {
    orders: createOrders({ store, random: Math.random, now }),
    tickets: createTickets({ store, random: Math.random, now }),
    drafts: createSavedDrafts({ store, random: Math.random, now }),
    checkouts: createCheckouts({ store, random: Math.random, now }),
    vault: wrapVault(vault),
    payments: createMemoryPayments(),
    deriveId: idDeriver(Buffer.alloc(32, 1)),
    priceLists: () => firstPriceLists,
    unpaidExpiresAfterSeconds: testSettings.unpaidExpiresAfterSeconds,
    now,
    newId,
    log,
  };
  const parts = {
    deps,
    automation: testAutomation(now),
    mailer: testMailer(),
    mails: testMails,
    ticketMails: testTicketMails,
    draftMails: testDraftMails,
    finder: { find: async () => ({ subjects: [], more: false }) },
    settings: testSettings,
    confirmLog,
    now,
    log,
  };
  const order = async (orderId: string) => (await deps.orders.load(orderId)).order;
  const dueTasks = async (orderId: string) =>
    owed(await order(orderId), now().toISOString(), testSettings).filter(
      ({ dueAt }) => Date.parse(dueAt) <= now().getTime(),
    );
  const byPrefix =
    (performNow: PerformTask): PerformTaskByPrefix =>
    async (orderId, name) => {
      const tasks = owed(await order(orderId), now().toISOString(), testSettings);
      const task = tasks.find((candidate) => candidate.name.startsWith(name));
      return performNow(orderId, task?.name ?? name);
    };
  const performNow = createPerformTask(parts);
  return {
    ...parts,
    store,
    logLines,
    wait: (seconds) => {
      clock += seconds * 1000;
    },
    order,
    eventTypes: async (orderId) => (await store.readStream(`order-${orderId}`)).map(({ type }) => type),
    due: async (orderId) => (await dueTasks(orderId)).map(({ name }) => name),
    perform: byPrefix(performNow),
    performNow,
    performAll: async (orderId) => {
      for (let round = 0; round < mostRounds; round++) {
        const [next] = await dueTasks(orderId);
        if (!next) return;
        await performNow(orderId, next.name);
      }
      throw new Error(`After ${mostRounds} rounds something is still due.`);
    },
  };
}

/** Performs tasks by name, if they are due. */
export const createPerformTask =
  (parts: PerformTaskDependencies): PerformTask =>
  async (subjectId, name) => {
    const subject = await readSubject(parts, subjectId);
    if (!subject) return "unread";
    const at = parts.now();
    const task = performable(parts, subject, at).find(({ owed }) => owed.name === name);
    return task && !isEarly(task.owed, at) ? performTask(parts, subject, task) : undefined;
  };
