import { randomUUID } from "node:crypto";
import { createAuditor } from "../../infra/audit/auditor.ts";
import { beginning, type StoredEvent } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import type { Follower } from "../../infra/following/follower.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { createLog } from "../../infra/process/log.ts";
import { createTreeFollower } from "../../infra/transparency/tree-follower.ts";
import { createProjections, type Projections } from "../../projections/runner/projections.ts";
import { purgeDetails } from "../../services/compliance/purge-leaf.ts";
import { createEndedSessions } from "../../services/identity/ended-sessions.ts";
import { createParkedRecords } from "../../services/operations/streams/postgres-parked-records.ts";
import { indexContacts } from "../../services/policies/following/index-contacts.ts";
import { createOrderJobs, outstandingPurges } from "../../services/policies/work/work-reads.ts";
import { createSandboxIdentity } from "../../services/providers/clerk/sandbox/sandbox-identity.ts";
import { createSandboxSchema } from "../../services/providers/sandbox/schema.ts";
import { createBlindIndex } from "../../services/vault/blind-index.ts";
import { vaultTable } from "../../services/vault/vault-rows.ts";
import { unsignedTree } from "../infra/audit-fixture.ts";
import { type TestDatabase, testDatabase } from "../postgres/test-database.ts";
import { testVault } from "../vault/test-vault.ts";
import { startTestGateway, type TestGateway, type TestOptions } from "./gateway-fixture.ts";
import { orderBody, variantBody } from "./request-bodies-fixture.ts";
import { type Reply, TestBrowser } from "./test-browser.ts";

/** The gateway on a real event store, vault and read models, in a separate database. Only the provider is a fake. */
export type TestStack = TestGateway & {
  readonly pool: Pool;
  readonly projections: Pick<Projections, "ready" | "waitFor">;
  /** Adds each event to the transparency log's tree. */
  readonly treeFollower: Follower;
  browser(): TestBrowser;
  events(orderId: string): Promise<StoredEvent[]>;
  /** Position of the newest event: equal before and after means that nothing was written. */
  head(): Promise<string>;
  /** Puts the people of these orders and tickets into the blind index, as the policies do. */
  makeFindable(...subjectIds: readonly string[]): Promise<void>;
  /** Stops only the gateway; everything behind it continues. */
  stopServing(): Promise<void>;
};

export async function startTestStack(options: Partial<TestOptions> = {}): Promise<TestStack> {
  return startStackOn(await testDatabase(), options);
}

/** @param database migrated; dropped when the stack closes */
export async function startStackOn(
  database: TestDatabase,
  options: Partial<TestOptions> = {},
): Promise<TestStack> {
  const { connectionString } = database;
  const held = await testVault(connectionString, { storedByAppends: true });
  const store = createPostgresEventStore({ pool: held.pool, connectionString, companions: vaultTable });
  const projections = createProjections({
    pool: held.pool,
    store,
    newId: () => randomUUID(),
    now: () => new Date(),
  });
  await projections.start();
  await createSandboxSchema(held.pool);
  const treeFollower = createTreeFollower({
    pool: held.pool,
    store,
    newId: () => randomUUID(),
    log: createLog("silent"),
    detailsOf: purgeDetails,
  });
  treeFollower.start();
  const auditor = createAuditor({
    pool: held.pool,
    store,
    follower: treeFollower,
    ...unsignedTree(held.pool, held.keyDir, purgeDetails),
    now: () => new Date(),
    newId: () => randomUUID(),
    log: createLog("silent"),
  });
  auditor.start();
  const index = createBlindIndex({ pool: held.pool, keyRing: held.keyRing, now: () => new Date() });
  const gateway = await startTestGateway({
    store,
    vault: held.vault,
    queries: projections.queries,
    // More patient than in operation, and within the deadline of an answer: on a busy machine a second is too little.
    waitFor: (position, timeoutMs) => projections.waitFor(position, 6 * timeoutMs),
    identity: ({ issueToken, now, newId }) => ({
      ended: createEndedSessions(held.pool, now),
      provider: createSandboxIdentity({ pool: held.pool, issueToken, newId }),
    }),
    orderJobs: createOrderJobs({
      pool: held.pool,
      now: () => new Date(),
      settings: () => ({
        purgeAfterSeconds: 5,
        unpaidExpiresAfterSeconds: 86_400,
        contactRetentionDays: 365,
        submissionRequestedWithinSeconds: 60,
      }),
    }),
    auditor,
    outstandingPurges: outstandingPurges(held.pool),
    parkedRecords: createParkedRecords(held.pool),
    finder: index,
    ...options,
  });
  return {
    ...gateway,
    pool: held.pool,
    projections,
    treeFollower,
    browser: () => new TestBrowser(gateway.url),
    events: (orderId) => store.readStream(`order-${orderId}`),
    head: async () => (await store.readAll(beginning, 10_000)).at(-1)?.position ?? beginning,
    makeFindable: (...subjectIds) => {
      const { orders, tickets, drafts, vault } = gateway.deps;
      return indexContacts({ orders, tickets, drafts, vault, index }, subjectIds, async (_, error) => {
        throw error;
      });
    },
    stopServing: () => gateway.close(),
    close: async () => {
      try {
        await gateway.close();
      } finally {
        await auditor.stop();
        await treeFollower.stop();
        await projections.stop();
        await store.close();
        await held.dispose();
        await database.drop();
      }
    },
  };
}

/** An order made by a browser. */
export type Ordered = { id: string; orderNumber: string; position: string };

const orderedIn = (reply: Reply): Ordered => ({
  id: reply.body.id,
  orderNumber: reply.body.orderNumber,
  position: reply.headers.get("Position") ?? "",
});

export async function createdOrder(
  browser: TestBrowser,
  changes: Record<string, unknown> = {},
): Promise<Ordered> {
  return orderedIn(await browser.post("/api/orders", orderBody(changes)));
}

export async function pricedOrder(
  browser: TestBrowser,
  changes: Record<string, unknown> = {},
): Promise<Ordered> {
  const { id } = await createdOrder(browser, changes);
  return orderedIn(await browser.post(`/api/orders/${id}/variants`, variantBody()));
}

/** With an unpaid intent at the provider. */
export async function awaitingPayment(
  browser: TestBrowser,
  changes: Record<string, unknown> = {},
): Promise<Ordered & { intentId: string }> {
  const order = await pricedOrder(browser, changes);
  const reply = await browser.post("/api/create-payment-intent", { amount: 45, orderId: order.id });
  const position = reply.headers.get("Position") ?? "";
  return { ...order, position, intentId: String(reply.body.clientSecret).replace(/_secret$/, "") };
}
