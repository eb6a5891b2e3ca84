import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createBullMqJobs } from "../../infra/jobs/bullmq-jobs.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import { startTestRedis, type TestRedis } from "../../testing/infra/redis-server-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndPay } from "../../testing/system/orders-fixture.ts";
import { type House, hasty, noSweepSeconds, openHouse } from "../../testing/system/test-system.ts";

let closing: AsyncDisposableStack;
let redis: TestRedis;
let house: House;
beforeEach(async () => {
  closing = new AsyncDisposableStack();
  redis = closing.use(await startTestRedis());
  house = closing.use(await openHouse());
});
afterEach(() => closing.disposeAsync());

const openQueue = async (): Promise<Jobs> =>
  closing.adopt(
    await createBullMqJobs({
      connectionString: redis.url,
      queueName: "duties",
      log: house.desk.log,
      attempts: 2,
      retryDelayMs: 20,
    }),
    (jobs) => jobs.close(),
  );

const seeEvent = (orderId: string, type: string) =>
  vi.waitFor(async () => expect(await house.eventTypes(orderId)).toContain(type), soon);

/** Sent, accepted, mailed and purged once each, whatever became of the queue in between. */
async function expectDoneOnce(orderIds: readonly string[]): Promise<void> {
  for (const orderId of orderIds) {
    const types = await house.eventTypes(orderId);
    for (const type of ["ConfirmationSent", "SubmittedToGRO", "SensitiveDataPurged"]) {
      expect(
        types.filter((each) => each === type),
        `${type} of ${orderId}`,
      ).toHaveLength(1);
    }
  }
  const accepted = [...house.around.automation.accepted.keys()].map((key) =>
    key.replace(/^order-|-submission.*$/g, ""),
  );
  expect(accepted.sort()).toEqual([...orderIds].sort());
}

/** What can become of a Redis. */
const disasters = {
  "that was restarted empty": async () => {
    await redis.kill();
    await redis.start();
  },
  "that was flushed": () => redis.flush(),
};

describe.each(Object.entries(disasters))("A Redis %s while jobs wait", (_, strike) => {
  /** Its purge waits in Redis, due in a minute; then Redis forgets it, and it is due. */
  async function orderWithLostPurge(): Promise<string> {
    const jobs = await openQueue();
    const settings = { ...hasty, purgeAfterSeconds: 60 };
    await house.begin({ jobs, settings, sweepEverySeconds: noSweepSeconds });
    const { orderId } = await placeAndPay(house.desk);
    await seeEvent(orderId, "SubmittedToGRO");
    await vi.waitFor(async () => {
      const { rows } = await house.pool.query("select kind from duties where subject_id = $1", [orderId]);
      // Jobs are added before the list is committed.
      expect(rows).toEqual([{ kind: "purge" }]);
    }, soon);
    expect(await jobs.pending()).toBeGreaterThan(0);
    await strike();
    house.skip(61);
    return orderId;
  }

  it("loses nothing and does nothing twice: the sweep brings back what is owed", async () => {
    const orderId = await orderWithLostPurge();
    await house.begin({ jobs: await openQueue() });
    await seeEvent(orderId, "SensitiveDataPurged");
    await expectDoneOnce([orderId]);
  });

  it("without the sweep has lost what waited, though it works on", async () => {
    const lost = await orderWithLostPurge();
    // Redis takes and gives work again, so it is not for want of a queue that nothing happens.
    await vi.waitFor(async () => {
      const { orderId } = await placeAndPay(house.desk);
      await vi.waitFor(async () => expect(await house.eventTypes(orderId)).toContain("SubmittedToGRO"), {
        timeout: 5000,
      });
    }, soon);
    expect(await house.eventTypes(lost)).not.toContain("SensitiveDataPurged");
  });
});

describe("A Redis that is away", () => {
  it("holds up neither the taking of orders nor the destruction of sensitive data, and all follows once it is back", async () => {
    const settings = { ...hasty, purgeAfterSeconds: 60 };
    const policies = await house.begin({ jobs: await openQueue(), settings });
    const before = await placeAndPay(house.desk);
    await seeEvent(before.orderId, "SubmittedToGRO");
    await redis.kill();
    const during = await placeAndPay(house.desk);
    house.skip(75);
    await seeEvent(before.orderId, "SensitiveDataPurged");
    await vi.waitFor(async () => {
      const { rows } = await house.pool.query("select from duties where subject_id = $1", [during.orderId]);
      expect(rows.length).toBeGreaterThan(0);
    }, soon);
    expect((await policies.status()).state).toBe("following");
    expect(await house.eventTypes(during.orderId)).not.toContain("SubmittedToGRO");
    await redis.start();
    await seeEvent(during.orderId, "SubmittedToGRO");
    house.skip(61);
    await seeEvent(during.orderId, "SensitiveDataPurged");
    await expectDoneOnce([before.orderId, during.orderId]);
  });

  it("again and again, killed, emptied and frozen under load with two workers, loses nothing and does nothing twice", async () => {
    await house.begin({ jobs: await openQueue() });
    await house.begin({ jobs: await openQueue() });
    const striking = new AbortController();
    const striker = (async () => {
      // Not for ever: on a slow machine nothing would ever get done between two strikes.
      for (let strikes = 0; strikes < 20 && !striking.signal.aborted; strikes++) {
        await redis.flush();
        await delay(60);
        await redis.kill();
        await delay(100);
        await redis.start();
        await redis.freeze();
        await delay(100);
        await redis.thaw();
        await delay(200);
      }
    })();
    const placed = await Promise.all(Array.from({ length: 8 }, () => placeAndPay(house.desk)));
    const finished = vi.waitFor(async () => {
      house.skip(1); // Whatever was postponed comes round at once.
      for (const { orderId } of placed) {
        expect(await house.eventTypes(orderId)).toContain("SensitiveDataPurged");
      }
    }, soon);
    await finished.finally(() => striking.abort());
    await striker;
    await expectDoneOnce(placed.map(({ orderId }) => orderId));
  });
});
