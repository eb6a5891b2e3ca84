import { expect, it, vi } from "vitest";
import { EventStoreUnreachable } from "../../infra/event-store/event-store.ts";
import { trustedStorage } from "../../infra/telemetry/storage/storage-watch.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndSubmit } from "../../testing/system/orders-fixture.ts";
import { openTestSystem } from "../../testing/system/test-system.ts";

it("an order whose worker waits for the log is left to it, and its mail leaves once", async () => {
  await using system = await openTestSystem();
  let isAway = false;
  const [suspected, back] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
  await system.begin({
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
  const owner = async () =>
    (await system.pool.query("select owner from work where subject_id = $1", [orderId])).rows[0]?.owner;
  const first = await owner();
  expect(first).toEqual(expect.any(String));

  await system.begin();
  // Longer than a worker may be silent.
  system.skip(60);
  const beats = async () =>
    (await system.pool.query("select min(beats)::int as beats from workers")).rows[0]?.beats;
  await vi.waitFor(async () => expect(await beats()).toBeGreaterThan(1), soon);
  expect([await owner(), system.around.mailer.sent]).toEqual([first, []]);
  isAway = false;
  back.resolve(true);
  await vi.waitFor(
    async () => expect(await system.eventTypes(orderId)).toContain("SensitiveDataPurged"),
    soon,
  );
  await vi.waitFor(async () => expect((await system.order(orderId)).mails.owed).toEqual([]), soon);
  const ids = system.around.mailer.sent.map(({ messageId }) => messageId);
  expect(ids).toEqual([...new Set(ids)]);
});
