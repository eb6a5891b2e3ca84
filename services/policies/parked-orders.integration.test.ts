import { describe, expect, it, vi } from "vitest";
import { orderStream } from "../../domain/order/events.ts";
import type { EventStore } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { StreamUnreadable } from "../../infra/event-store/stream-unreadable.ts";
import { askForRetry, listParked } from "../../infra/following/parked-streams.ts";
import { appendSealed, changeHash, tamper } from "../../testing/event-store/tampering-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndPay } from "../../testing/system/orders-fixture.ts";
import { hasty, openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";
import { policyFollowers } from "./policies.ts";
import type { TaskWatch } from "./task-dependencies.ts";
import { unwatchedTasks } from "./task-dependencies.ts";

// An order with an unreadable stream must not block the others, and nothing may be done on its basis.

const seeEvent = (system: TestSystem, orderId: string, type: string) =>
  vi.waitFor(async () => expect(await system.eventTypes(orderId)).toContain(type), soon);

async function parked(system: TestSystem) {
  const all = await listParked(system.pool, policyFollowers, 100);
  return all.map(({ name, stream, reason }) => `${name} ${stream} ${reason}`);
}

/** A test system whose policies have already followed the log, so they receive new events in order. */
async function openTestSystemThatRan(): Promise<TestSystem> {
  const system = await openTestSystem();
  await (await system.begin()).stop();
  return system;
}

/** A second store on the test system's log. */
async function onLog<T>(system: TestSystem, work: (store: EventStore) => Promise<T>): Promise<T> {
  const { connectionString } = system.database;
  const store = createPostgresEventStore({ pool: system.pool, connectionString });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const appends = (type: string, data: (store: EventStore, stream: string) => Promise<object>) => {
  return (system: TestSystem, stream: string): Promise<void> =>
    onLog(system, async (store) => {
      await appendSealed(store, stream, {
        type,
        data: JSON.parse(JSON.stringify(await data(store, stream))),
      });
    });
};

/** Kinds of stream damage, each with the reason reported. */
const damages: readonly (readonly [
  string,
  string,
  (system: TestSystem, stream: string) => Promise<unknown>,
])[] = [
  ["an event whose hash differs", "changed", ({ pool }, stream) => changeHash(pool, stream, 1)],
  [
    "data that was changed",
    "changed",
    ({ pool }, stream) =>
      tamper(pool, `update events set data = '{"paidPence":1}' where stream = $1 and revision = 2`, [stream]),
  ],
  [
    "an event that follows a different one",
    "chain-broken",
    ({ pool }, stream) =>
      tamper(
        pool,
        `update events set metadata = replace(metadata::text, metadata ->> 'previousHash', $2)::json
         where stream = $1 and revision = 1`,
        [stream, "f".repeat(64)],
      ),
  ],
  [
    "a missing event",
    "chain-broken",
    ({ pool }, stream) => tamper(pool, "delete from events where stream = $1 and revision = 1", [stream]),
  ],
  [
    "invalid metadata",
    "chain-broken",
    ({ pool }, stream) =>
      tamper(pool, "update events set metadata = 'null' where stream = $1 and revision = 0", [stream]),
  ],
  ["an unknown type", "unknown-type", appends("OrderTeleported", async () => ({}))],
  ["data that does not fit", "invalid-event", appends("OrderFulfilled", async () => ({ nonsense: true }))],
  [
    "events that cannot follow one another",
    "fold-failed",
    appends("OrderCreated", async (store, stream) => (await store.readStream(stream))[0]?.data ?? {}),
  ],
];

describe("An order is parked while all others continue, for", () => {
  it.each(damages)("%s", async (_what, reason, damage) => {
    await using system = await openTestSystemThatRan();
    const { orderId } = await placeAndPay(system.deps);
    const stream = orderStream(orderId);
    await damage(system, stream);
    await system.begin();
    const { orderId: other } = await placeAndPay(system.deps);
    await seeEvent(system, other, "SensitiveDataPurged");
    expect(await parked(system)).toContain(`work ${stream} ${reason}`);
    // Nothing was done on the basis of an unreadable stream.
    expect(system.around.automation.sent).toHaveLength(1);
    expect(system.around.mailer.sent.length).toBeGreaterThan(0);
    expect(await system.deps.vault.recordsOf(orderId)).not.toEqual([]);
    const [refused] = await Promise.allSettled([system.deps.orders.load(orderId)]);
    expect(refused).toMatchObject({ status: "rejected", reason: expect.any(StreamUnreadable) });
  });
});

it("resumes the order where it was once repaired, and does each task once", async () => {
  await using system = await openTestSystemThatRan();
  const { orderId } = await placeAndPay(system.deps);
  const stream = orderStream(orderId);
  const hash = await changeHash(system.pool, stream, 0);
  await system.begin();
  const { orderId: other } = await placeAndPay(system.deps);
  await seeEvent(system, other, "SensitiveDataPurged");
  await changeHash(system.pool, stream, 0, hash);
  expect(await askForRetry(system.pool, policyFollowers, stream)).toBe(1);
  await seeEvent(system, orderId, "SensitiveDataPurged");
  expect(await parked(system)).toEqual([]);
  expect(system.around.automation.sent).toHaveLength(2);
  const types = (await system.eventTypes(orderId)).filter((type) => type !== "MailSent");
  expect(types.length).toBe(new Set(types).size);
});

describe("Tasks already listed when an order becomes unreadable", () => {
  /** Submitted, with its purge due in a minute. */
  async function submitted(system: TestSystem) {
    const late: number[] = [];
    const taskWatch: TaskWatch = { ...unwatchedTasks, late: (purges) => void late.push(purges) };
    await system.begin({ settings: { ...hasty, purgeAfterSeconds: 60 }, taskWatch });
    const { orderId } = await placeAndPay(system.deps);
    await seeEvent(system, orderId, "SubmittedToGRO");
    await vi.waitFor(
      async () =>
        expect(await system.tasksOf(orderId)).toEqual([expect.stringMatching(/^purge-application-/)]),
      soon,
    );
    return { orderId, late };
  }

  it("purges nothing, raises an alarm when overdue, and purges once repaired", async () => {
    await using system = await openTestSystem();
    const { orderId, late } = await submitted(system);
    const before = await system.deps.vault.recordsOf(orderId);
    const hash = await changeHash(system.pool, orderStream(orderId), 1);
    system.skip(300);
    await vi.waitFor(() => expect(late.at(-1)).toBe(1), soon);
    await vi.waitFor(
      () => expect(system.logLines.join()).toContain("ALARM: sensitive data should have been purged"),
      soon,
    );
    expect(await system.deps.vault.recordsOf(orderId)).toEqual(before);
    // The alarm finds other orders too, and their purges continue.
    const { orderId: other } = await placeAndPay(system.deps);
    await seeEvent(system, other, "SubmittedToGRO");
    system.skip(61);
    await seeEvent(system, other, "SensitiveDataPurged");

    await changeHash(system.pool, orderStream(orderId), 1, hash);
    system.skip(20);
    await seeEvent(system, orderId, "SensitiveDataPurged");
    await vi.waitFor(() => expect(late.at(-1)).toBe(0), soon);
  });
});
