import { describe, expect, it, vi } from "vitest";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndPay } from "../../testing/system/orders-fixture.ts";
import { hasty, noSweepSeconds, openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";
import { createOrders } from "../orders/orders.ts";
import { createTickets } from "../tickets/tickets.ts";

/** A paid order whose mail cannot be sent: everything is kept, and all its records are due for a check. */
async function keptOrder(system: TestSystem): Promise<string> {
  system.around.mailer.mood = "down";
  const policies = await system.begin({ sweepEverySeconds: noSweepSeconds });
  const { orderId } = await placeAndPay(system.deps);
  await vi.waitFor(
    async () => expect(await system.tasksOf(orderId)).toContainEqual(expect.stringMatching(/^mail-/)),
    soon,
  );
  await policies.stop();
  system.skip(90_000);
  await system.pool.query("update vault_records set due_at = $2 where subject = $1", [
    orderId,
    system.deps.now(),
  ]);
  return orderId;
}

/** Policies of a process started on another, empty log, as if it had not been refused. */
function onAnotherLog({ deps }: TestSystem): Parameters<TestSystem["begin"]>[0] {
  const store = createMemoryEventStore();
  const parts = { store, random: Math.random, now: deps.now };
  return { store, deps: { ...deps, orders: createOrders(parts), tickets: createTickets(parts) } };
}

describe("A process connected to another log", () => {
  it("starts nothing", async () => {
    await using system = await openTestSystem();
    const orderId = await keptOrder(system);
    const kept = await system.deps.vault.recordsOf(orderId);
    const refused = new Error("Another log.");
    const begun = system.begin({ ...onAnotherLog(system), confirmLog: () => Promise.reject(refused) });
    await expect(begun).rejects.toThrow(refused);
    expect(await system.deps.vault.recordsOf(orderId)).toEqual(kept);
    expect(await system.tasksOf(orderId)).not.toEqual([]);
  });

  it("erases no key and removes no task, even if it was not refused", async () => {
    await using system = await openTestSystem();
    const orderId = await keptOrder(system);
    const kept = (await system.deps.vault.recordsOf(orderId)).map(({ recordId }) => recordId);
    const owed = await system.tasksOf(orderId);
    await system.begin({ ...onAnotherLog(system), confirmLog: async () => undefined, settings: hasty });
    await vi.waitFor(() => expect(system.logLines.join("")).toContain("that the log does not hold"), soon);
    expect((await system.deps.vault.recordsOf(orderId)).map(({ recordId }) => recordId)).toEqual(kept);
    expect(await system.tasksOf(orderId)).toEqual(owed);
  });
});
