import { expect, it, vi } from "vitest";
import { orderStream } from "../../domain/order/events.ts";
import { beginning, type FollowOptions } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { askForRetry, listParked } from "../../infra/following/parked-streams.ts";
import { boundStore } from "../../testing/event-store/store-fixture.ts";
import { changeHash } from "../../testing/event-store/tampering-fixture.ts";
import { customer } from "../../testing/services/use-case-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndAsk, placeAndPay } from "../../testing/system/orders-fixture.ts";
import { openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";
import type { Orders } from "../orders/orders.ts";
import { confirmIntent } from "../orders/payments/provider-reports.ts";
import { vaultTable } from "../vault/vault-rows.ts";
import { taskRules, tasksFollower } from "./work/work-table.ts";

// The version of the rules is raised: tasks of older orders are derived anew while new events are followed at once.

const rules = taskRules + 1;

async function seePurged(system: TestSystem, ...orderIds: readonly string[]): Promise<void> {
  for (const orderId of orderIds)
    await vi.waitFor(
      async () => expect(await system.eventTypes(orderId)).toContain("SensitiveDataPurged"),
      soon,
    );
}

/** Orders from before the deploy: `done` is complete, the others wait for a worker. */
async function openWithOldOrders(many: number) {
  const system = await openTestSystem();
  const old = await system.begin();
  const { orderId: done } = await placeAndPay(system.deps);
  await seePurged(system, done);
  await old.stop();
  const waiting: string[] = [];
  for (let nth = 0; nth < many; nth += 1) waiting.push((await placeAndPay(system.deps)).orderId);
  return { system, done, waiting };
}

/** Orders that block while loading some of them until released. */
function slowly(orders: Orders, slow: ReadonlySet<string>) {
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const load: Orders["load"] = async (orderId) => {
    const loaded = await orders.load(orderId);
    if (slow.has(orderId)) await gate;
    return loaded;
  };
  return { orders: { ...orders, load }, letGo };
}

/** A log that cannot be read from its beginning until released. */
function slowFromTheBeginning(system: TestSystem) {
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const store = createPostgresEventStore({
    pool: system.pool,
    connectionString: system.database.connectionString,
    companions: vaultTable,
  });
  async function* follow(options: FollowOptions) {
    if (options.after === beginning)
      await Promise.race([gate, new Promise((end) => options.signal.addEventListener("abort", end))]);
    yield* store.follow(options);
  }
  return { store: { ...boundStore(store), follow }, letGo };
}

it("confirms, submits and purges a new order while the replay of old orders is blocked", async () => {
  const { system, waiting } = await openWithOldOrders(3);
  await using _ = system;
  const { store, letGo } = slowFromTheBeginning(system);
  const newer = await system.begin({ rules, store });
  const { orderId } = await placeAndPay(system.deps);
  await seePurged(system, orderId);
  await vi.waitFor(async () => expect(await newer.hasCaughtUp()).toBe(true), soon);
  expect(await newer.isEverythingListed()).toBe(false);
  expect(await system.eventTypes(waiting[0] ?? "")).not.toContain("SubmissionStarted");

  letGo();
  await vi.waitFor(async () => expect(await newer.isEverythingListed()).toBe(true), soon);
  await seePurged(system, ...waiting);
  expect(system.around.automation.sent).toHaveLength(waiting.length + 2);
  await newer.stop();
  await store.close();
});

it("loses no event of an old order between deriving and listing its tasks", async () => {
  await using system = await openTestSystem();
  const { orderId, intentId } = await placeAndAsk(system.deps);
  const { orders, letGo } = slowly(system.deps.orders, new Set([orderId]));
  const looked = vi.spyOn(orders, "load");
  const newer = await system.begin({ rules, deps: { ...system.deps, orders } });
  await vi.waitFor(() => expect(looked).toHaveBeenCalledWith(orderId), soon);
  system.deps.payments.change(intentId, { status: "succeeded" });
  await confirmIntent(system.deps, orderId, await system.deps.payments.retrieveIntent(intentId), customer);
  letGo();
  await vi.waitFor(async () => expect(await newer.isEverythingListed()).toBe(true), soon);
  await seePurged(system, orderId);
});

it("derives old tasks once, whichever worker begins", async () => {
  const { system, waiting } = await openWithOldOrders(4);
  await using _ = system;
  const workers = await Promise.all([system.begin({ rules }), system.begin({ rules })]);
  await seePurged(system, ...waiting, (await placeAndPay(system.deps)).orderId);
  for (const worker of workers)
    await vi.waitFor(async () => expect(await worker.isEverythingListed()).toBe(true), soon);
  const { rows } = await system.pool.query(
    "select name from followers where name like '%work' and version = $1",
    [rules],
  );
  expect(rows).toEqual([{ name: "work" }]);
});

it("has nothing to derive on an empty log", async () => {
  await using system = await openTestSystem();
  const first = await system.begin({ rules });
  expect([await first.hasCaughtUp(), await first.isEverythingListed()]).toEqual([true, true]);
});

it("parks an unreadable old order, derives the others, and resumes it once repaired", async () => {
  const { system, waiting } = await openWithOldOrders(3);
  await using _ = system;
  const [broken = "", ...others] = waiting;
  const hash = await changeHash(system.pool, orderStream(broken), 1);
  const newer = await system.begin({ rules });
  await vi.waitFor(async () => expect(await newer.isEverythingListed()).toBe(true), soon);
  await seePurged(system, ...others);
  const key = tasksFollower(rules);
  const parked = () => listParked(system.pool, [key], 10);
  expect(await parked()).toMatchObject([{ stream: orderStream(broken), reason: "changed", revision: 0 }]);
  await changeHash(system.pool, orderStream(broken), 1, hash);
  await askForRetry(system.pool, [key]);
  await seePurged(system, broken);
  expect(await parked()).toEqual([]);
});
