import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createBullMqJobs } from "../../infra/jobs/bullmq-jobs.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import { startTestRedis, type TestRedis } from "../../testing/infra/redis-server-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndPay } from "../../testing/system/orders-fixture.ts";
import { hasty, noSweepSeconds, openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";

let closing: AsyncDisposableStack;
let redis: TestRedis;
let system: TestSystem;
beforeEach(async () => {
  closing = new AsyncDisposableStack();
  redis = closing.use(await startTestRedis());
  system = closing.use(await openTestSystem());
});
afterEach(() => closing.disposeAsync());

const openQueue = async (): Promise<Jobs> =>
  closing.adopt(
    await createBullMqJobs({
      connectionString: redis.url,
      queueName: "duties",
      log: system.deps.log,
      attempts: 2,
      retryDelayMs: 20,
    }),
    (jobs) => jobs.close(),
  );

const seeEvent = (orderId: string, type: string) =>
  vi.waitFor(async () => expect(await system.eventTypes(orderId)).toContain(type), soon);

/** Sent, accepted, mailed and purged once each, whatever happened to the queue. */
async function expectDoneOnce(orderIds: readonly string[]): Promise<void> {
  for (const orderId of orderIds) {
    const types = await system.eventTypes(orderId);
    for (const type of ["ConfirmationSent", "SubmittedToGRO", "SensitiveDataPurged"]) {
      expect(
        types.filter((each) => each === type),
        `${type} of ${orderId}`,
      ).toHaveLength(1);
    }
  }
  const accepted = [...system.around.automation.accepted.keys()].map((key) =>
    key.replace(/^order-|-submission.*$/g, ""),
  );
  expect(accepted.sort()).toEqual([...orderIds].sort());
}

/** Ways for Redis to lose its data. */
const disasters = {
  "that was restarted empty": async () => {
    await redis.kill();
    await redis.start();
  },
  "that was flushed": () => redis.flush(),
};

describe.each(Object.entries(disasters))("A Redis %s while jobs wait", (_, strike) => {
  /** Its purge waits in Redis, due in a minute; then Redis loses it, and it is due. */
  async function orderWithLostPurge(): Promise<string> {
    const jobs = await openQueue();
    const settings = { ...hasty, purgeAfterSeconds: 60 };
    await system.begin({ jobs, settings, sweepEverySeconds: noSweepSeconds });
    const { orderId } = await placeAndPay(system.deps);
    await seeEvent(orderId, "SubmittedToGRO");
    await vi.waitFor(async () => {
      const { rows } = await system.pool.query("select kind from duties where subject_id = $1", [orderId]);
      // Jobs are added before the list is committed.
      expect(rows).toEqual([{ kind: "purge" }]);
    }, soon);
    expect(await jobs.pending()).toBeGreaterThan(0);
    await strike();
    system.skip(61);
    return orderId;
  }

  it("loses nothing and does nothing twice: the sweep restores the tasks", async () => {
    const orderId = await orderWithLostPurge();
    await system.begin({ jobs: await openQueue() });
    await seeEvent(orderId, "SensitiveDataPurged");
    await expectDoneOnce([orderId]);
  });

  it("loses waiting tasks without the sweep, although it keeps working", async () => {
    const lost = await orderWithLostPurge();
    // Redis accepts and delivers jobs again, so the queue itself works.
    await vi.waitFor(async () => {
      const { orderId } = await placeAndPay(system.deps);
      await vi.waitFor(async () => expect(await system.eventTypes(orderId)).toContain("SubmittedToGRO"), {
        timeout: 5000,
      });
    }, soon);
    expect(await system.eventTypes(lost)).not.toContain("SensitiveDataPurged");
  });
});

describe("An unavailable Redis", () => {
  it("delays neither new orders nor purges, and everything else follows once it is back", async () => {
    const settings = { ...hasty, purgeAfterSeconds: 60 };
    const policies = await system.begin({ jobs: await openQueue(), settings });
    const before = await placeAndPay(system.deps);
    await seeEvent(before.orderId, "SubmittedToGRO");
    await redis.kill();
    const during = await placeAndPay(system.deps);
    system.skip(75);
    await seeEvent(before.orderId, "SensitiveDataPurged");
    expect((await policies.status()).state).toBe("following");
    await redis.start();
    await seeEvent(during.orderId, "SubmittedToGRO");
    system.skip(61);
    await seeEvent(during.orderId, "SensitiveDataPurged");
    await expectDoneOnce([before.orderId, during.orderId]);
  });

  it("killed, emptied and frozen under load with two workers, loses and repeats nothing", async () => {
    await system.begin({ jobs: await openQueue() });
    await system.begin({ jobs: await openQueue() });
    const striking = new AbortController();
    const striker = (async () => {
      // Limited: on a slow machine no work would get done between two strikes.
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
    const placed = await Promise.all(Array.from({ length: 8 }, () => placeAndPay(system.deps)));
    const finished = vi.waitFor(async () => {
      system.skip(1); // Makes postponed tasks due at once.
      for (const { orderId } of placed) {
        expect(await system.eventTypes(orderId)).toContain("SensitiveDataPurged");
      }
    }, soon);
    await finished.finally(() => striking.abort());
    await striker;
    await expectDoneOnce(placed.map(({ orderId }) => orderId));
  });
});
