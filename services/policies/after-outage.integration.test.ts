import { expect, it, vi } from "vitest";
import { EventStoreUnreachable } from "../../infra/event-store/kurrent/kurrent-errors.ts";
import { trustedStorage } from "../../infra/telemetry/storage/storage-watch.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndSubmit } from "../../testing/system/orders-fixture.ts";
import { noSweepSeconds, openTestSystem } from "../../testing/system/test-system.ts";

it("after an outage a mail that the sweep of another process has taken up is not sent twice", async () => {
  await using system = await openTestSystem();
  let isAway = false;
  const [suspected, back] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
  const jobs = await system.openJobs();
  const add = vi.fn(jobs.add);
  await system.begin({
    jobs: { ...jobs, add, work: async () => async () => undefined },
    sweepEverySeconds: noSweepSeconds,
    deps: {
      ...system.deps,
      orders: {
        ...system.deps.orders,
        load: async (id) => {
          if (isAway) throw new EventStoreUnreachable("No response.");
          return system.deps.orders.load(id);
        },
      },
    },
    storage: { ...trustedStorage, suspect: suspected.resolve, over: () => back.promise },
  });
  isAway = true;
  const { orderId } = await placeAndSubmit(system.deps);
  await suspected.promise;
  await vi.waitFor(async () => {
    const listed = await system.pool.query("select from duties where kind = 'mail'");
    expect(listed.rowCount).toBe(1);
  }, soon);

  const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { mailer } = system.around;
  const { send } = mailer;
  mailer.send = async (mail) => {
    reached.resolve();
    await answered.promise;
    return send(mail);
  };
  system.skip(4);
  await system.begin();
  await reached.promise;
  add.mockClear();
  isAway = false;
  back.resolve(true);
  await vi.waitFor(() => expect(add).toHaveBeenCalled(), soon);
  answered.resolve();
  await vi.waitFor(
    async () => expect(await system.eventTypes(orderId)).toContain("SensitiveDataPurged"),
    soon,
  );
  await vi.waitFor(async () => expect((await system.order(orderId)).mails.owed).toEqual([]), soon);
  const ids = mailer.sent.map(({ messageId }) => messageId);
  expect(ids).toEqual([...new Set(ids)]);
});
