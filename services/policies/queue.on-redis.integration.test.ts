import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createBullMqJobs } from "../../infra/jobs/bullmq-jobs.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import { startTestRedis, type TestRedis } from "../../testing/infra/redis-server-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndPay } from "../../testing/system/orders-fixture.ts";
import { hasty, openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";

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
      queueName: "work",
      log: system.deps.log,
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
      for (const { orderId } of placed) {
        expect(await system.eventTypes(orderId)).toContain("SensitiveDataPurged");
      }
    }, soon);
    await finished.finally(() => striking.abort());
    await striker;
    await expectDoneOnce(placed.map(({ orderId }) => orderId));
  });
});
