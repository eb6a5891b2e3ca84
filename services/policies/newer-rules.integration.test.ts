import { expect, it, vi } from "vitest";
import { orderStream } from "../../domain/order/events.ts";
import { beginning, type FollowOptions } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { askForRetry, listParked } from "../../infra/following/parked-streams.ts";
import { boundStore } from "../../testing/event-store/store-fixture.ts";
import { changeHash } from "../../testing/event-store/tampering-fixture.ts";
import { customer } from "../../testing/services/use-case-fixture.ts";
import { placeAndAsk, placeAndPay } from "../../testing/system/orders-fixture.ts";
import { type House, openHouse } from "../../testing/system/test-system.ts";
import type { Orders } from "../orders/orders.ts";
import { confirmIntent } from "../orders/payments/confirm-payment.ts";
import { dutiesFollower, dutyRules } from "./tasks/task-list.ts";

// The version of the rules is raised: tasks of older orders are derived anew while new events are followed at once.

const soon = { timeout: 30_000, interval: 50 };
const rules = dutyRules + 1;

async function seePurged(house: House, ...orderIds: readonly string[]): Promise<void> {
  for (const orderId of orderIds)
    await vi.waitFor(
      async () => expect(await house.eventTypes(orderId)).toContain("SensitiveDataPurged"),
      soon,
    );
}

/** Orders from before the deploy: `done` is complete, the others wait for a worker. */
async function openWithOldOrders(many: number) {
  const house = await openHouse();
  const old = await house.begin();
  const { orderId: done } = await placeAndPay(house.desk);
  await seePurged(house, done);
  await old.stop();
  const waiting: string[] = [];
  for (let nth = 0; nth < many; nth += 1) waiting.push((await placeAndPay(house.desk)).orderId);
  return { house, done, waiting };
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
function slowFromTheBeginning(house: House) {
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const store = createPostgresEventStore({
    pool: house.pool,
    connectionString: house.database.connectionString,
  });
  async function* follow(options: FollowOptions) {
    if (options.after === beginning)
      await Promise.race([gate, new Promise((end) => options.signal.addEventListener("abort", end))]);
    yield* store.follow(options);
  }
  return { store: { ...boundStore(store), follow }, letGo };
}

it("confirms, submits and purges a new order while the replay of old orders is blocked", async () => {
  const { house, waiting } = await openWithOldOrders(3);
  await using _ = house;
  const { store, letGo } = slowFromTheBeginning(house);
  const newer = await house.begin({ rules, store });
  const { orderId } = await placeAndPay(house.desk);
  await seePurged(house, orderId);
  await vi.waitFor(async () => expect(await newer.hasCaughtUp()).toBe(true), soon);
  expect(await newer.isEverythingListed()).toBe(false);
  expect(await house.eventTypes(waiting[0] ?? "")).not.toContain("SubmissionStarted");

  letGo();
  await vi.waitFor(async () => expect(await newer.isEverythingListed()).toBe(true), soon);
  await seePurged(house, ...waiting);
  expect(house.around.automation.sent).toHaveLength(waiting.length + 2);
  await newer.stop();
  await store.close();
});

it("loses no event of an old order between deriving and listing its tasks", async () => {
  await using house = await openHouse();
  const { orderId, intentId } = await placeAndAsk(house.desk);
  const { orders, letGo } = slowly(house.desk.orders, new Set([orderId]));
  const looked = vi.spyOn(orders, "load");
  const newer = await house.begin({ rules, desk: { ...house.desk, orders } });
  await vi.waitFor(() => expect(looked).toHaveBeenCalledWith(orderId), soon);
  house.desk.payments.change(intentId, { status: "succeeded" });
  await confirmIntent(house.desk, orderId, await house.desk.payments.retrieveIntent(intentId), customer);
  letGo();
  await vi.waitFor(async () => expect(await newer.isEverythingListed()).toBe(true), soon);
  await seePurged(house, orderId);
});

it("derives old tasks once, whichever worker begins", async () => {
  const { house, waiting } = await openWithOldOrders(4);
  await using _ = house;
  const workers = await Promise.all([house.begin({ rules }), house.begin({ rules })]);
  await seePurged(house, ...waiting, (await placeAndPay(house.desk)).orderId);
  for (const worker of workers)
    await vi.waitFor(async () => expect(await worker.isEverythingListed()).toBe(true), soon);
  const { rows } = await house.pool.query(
    "select name from followers where name like '%duties' and version = $1",
    [rules],
  );
  expect(rows).toEqual([{ name: "duties" }]);
});

it("has nothing to derive on an empty log", async () => {
  await using house = await openHouse();
  const first = await house.begin({ rules });
  expect([await first.hasCaughtUp(), await first.isEverythingListed()]).toEqual([true, true]);
});

it("parks an unreadable old order, derives the others, and resumes it once repaired", async () => {
  const { house, waiting } = await openWithOldOrders(3);
  await using _ = house;
  const [broken = "", ...others] = waiting;
  const hash = await changeHash(house.pool, orderStream(broken), 1);
  const newer = await house.begin({ rules });
  await vi.waitFor(async () => expect(await newer.isEverythingListed()).toBe(true), soon);
  await seePurged(house, ...others);
  const key = dutiesFollower(rules);
  const parked = () => listParked(house.pool, [key], 10);
  expect(await parked()).toMatchObject([{ stream: orderStream(broken), reason: "changed", revision: 0 }]);
  await changeHash(house.pool, orderStream(broken), 1, hash);
  await askForRetry(house.pool, [key]);
  await seePurged(house, broken);
  expect(await parked()).toEqual([]);
});
