import { describe, expect, it, vi } from "vitest";
import { orderStream } from "../../domain/order/events.ts";
import type { EventStore } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { StreamUnreadable } from "../../infra/event-store/stream-unreadable.ts";
import { askForRetry, listParked } from "../../infra/following/parked-streams.ts";
import { appendSealed, changeHash, tamper } from "../../testing/event-store/tampering-fixture.ts";
import { placeAndPay } from "../../testing/system/orders-fixture.ts";
import { type House, hasty, openHouse } from "../../testing/system/test-system.ts";
import { policyFollowers } from "./policies.ts";
import type { DutyWatch } from "./tasks/task-watch.ts";
import { unwatchedDuties } from "./tasks/task-watch.ts";

// An order with an unreadable stream must not block the others, and nothing may be done on its basis.

const soon = { timeout: 30_000, interval: 50 };

const seeEvent = (house: House, orderId: string, type: string) =>
  vi.waitFor(async () => expect(await house.eventTypes(orderId)).toContain(type), soon);

async function parked(house: House) {
  const all = await listParked(house.pool, policyFollowers, 100);
  return all.map(({ name, stream, reason }) => `${name} ${stream} ${reason}`);
}

/** A test system whose policies have already followed the log, so they receive new events in order. */
async function openHouseThatRan(): Promise<House> {
  const house = await openHouse();
  await (await house.begin()).stop();
  return house;
}

/** A second store on the test system's log. */
async function onLog<T>(house: House, work: (store: EventStore) => Promise<T>): Promise<T> {
  const { connectionString } = house.database;
  const store = createPostgresEventStore({ pool: house.pool, connectionString });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const appends = (type: string, data: (store: EventStore, stream: string) => Promise<object>) => {
  return (house: House, stream: string): Promise<void> =>
    onLog(house, async (store) => {
      await appendSealed(store, stream, {
        type,
        data: JSON.parse(JSON.stringify(await data(store, stream))),
      });
    });
};

/** Kinds of stream damage, each with the reason reported. */
const damages: readonly (readonly [string, string, (house: House, stream: string) => Promise<unknown>])[] = [
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
    await using house = await openHouseThatRan();
    const { orderId } = await placeAndPay(house.desk);
    const stream = orderStream(orderId);
    await damage(house, stream);
    await house.begin();
    const { orderId: other } = await placeAndPay(house.desk);
    await seeEvent(house, other, "SensitiveDataPurged");
    expect(await parked(house)).toContain(`duties ${stream} ${reason}`);
    // Nothing was done on the basis of an unreadable stream.
    expect(house.around.automation.sent).toHaveLength(1);
    expect(house.around.mailer.sent.length).toBeGreaterThan(0);
    expect(await house.desk.vault.recordsOf(orderId)).not.toEqual([]);
    const [refused] = await Promise.allSettled([house.desk.orders.load(orderId)]);
    expect(refused).toMatchObject({ status: "rejected", reason: expect.any(StreamUnreadable) });
  });
});

it("resumes the order where it was once repaired, and does each task once", async () => {
  await using house = await openHouseThatRan();
  const { orderId } = await placeAndPay(house.desk);
  const stream = orderStream(orderId);
  const hash = await changeHash(house.pool, stream, 0);
  await house.begin();
  const { orderId: other } = await placeAndPay(house.desk);
  await seeEvent(house, other, "SensitiveDataPurged");
  await changeHash(house.pool, stream, 0, hash);
  expect(await askForRetry(house.pool, policyFollowers, stream)).toBe(1);
  await seeEvent(house, orderId, "SensitiveDataPurged");
  expect(await parked(house)).toEqual([]);
  expect(house.around.automation.sent).toHaveLength(2);
  const types = (await house.eventTypes(orderId)).filter((type) => type !== "MailSent");
  expect(types.length).toBe(new Set(types).size);
});

describe("Tasks already listed when an order becomes unreadable", () => {
  /** Submitted, with its purge due in a minute. */
  async function submitted(house: House) {
    const late: number[] = [];
    const dutyWatch: DutyWatch = { ...unwatchedDuties, late: (purges) => void late.push(purges) };
    await house.begin({ settings: { ...hasty, purgeAfterSeconds: 60 }, dutyWatch });
    const { orderId } = await placeAndPay(house.desk);
    await seeEvent(house, orderId, "SubmittedToGRO");
    await vi.waitFor(async () => {
      const { rows } = await house.pool.query("select kind from duties where subject_id = $1", [orderId]);
      expect(rows).toEqual([{ kind: "purge" }]);
    }, soon);
    return { orderId, late };
  }

  it("purges nothing, raises an alarm when overdue, and purges once repaired", async () => {
    await using house = await openHouse();
    const { orderId, late } = await submitted(house);
    const before = await house.desk.vault.recordsOf(orderId);
    const hash = await changeHash(house.pool, orderStream(orderId), 1);
    house.skip(300);
    await vi.waitFor(() => expect(late.at(-1)).toBe(1), soon);
    expect(house.logLines.join()).toContain("ALARM: sensitive data should have been purged");
    expect(await house.desk.vault.recordsOf(orderId)).toEqual(before);
    // The alarm finds other orders too, and their purges continue.
    const { orderId: other } = await placeAndPay(house.desk);
    await seeEvent(house, other, "SubmittedToGRO");
    house.skip(61);
    await seeEvent(house, other, "SensitiveDataPurged");

    await changeHash(house.pool, orderStream(orderId), 1, hash);
    house.skip(20);
    await seeEvent(house, orderId, "SensitiveDataPurged");
    await vi.waitFor(() => expect(late.at(-1)).toBe(0), soon);
  });
});
