import { describe, expect, it, vi } from "vitest";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import { placeAndPay } from "../../testing/system/orders-fixture.ts";
import { type House, hasty, noSweepSeconds, openHouse } from "../../testing/system/test-system.ts";
import { createOrders } from "../orders/orders.ts";
import { createTickets } from "../tickets/tickets.ts";
import type { PoliciesParts } from "./policies.ts";

const soon = { timeout: 15_000, interval: 50 };

/** A paid order whose mail cannot be sent: everything is kept, and all its records are due for a check. */
async function keptOrder(house: House): Promise<string> {
  house.around.mailer.mood = "down";
  const policies = await house.begin({ sweepEverySeconds: noSweepSeconds });
  const { orderId } = await placeAndPay(house.desk);
  await vi.waitFor(async () => expect(await dutiesOf(house, orderId)).toContain("mail"), soon);
  await policies.stop();
  house.skip(90_000);
  await house.pool.query("update vault_records set due_at = $2 where subject = $1", [
    orderId,
    house.desk.now(),
  ]);
  return orderId;
}

async function dutiesOf(house: House, orderId: string): Promise<string[]> {
  const { rows } = await house.pool.query<{ kind: string }>("select kind from duties where subject_id = $1", [
    orderId,
  ]);
  return rows.map(({ kind }) => kind);
}

/** Policies of a process started on another, empty log, as if it had not been refused. */
function onAnotherLog({ desk }: House): Partial<PoliciesParts> {
  const store = createMemoryEventStore();
  const parts = { store, random: Math.random, now: desk.now };
  return { store, desk: { ...desk, orders: createOrders(parts), tickets: createTickets(parts) } };
}

describe("A process connected to another log", () => {
  it("starts nothing", async () => {
    await using house = await openHouse();
    const orderId = await keptOrder(house);
    const kept = await house.desk.vault.recordsOf(orderId);
    const refused = new Error("Another log.");
    const begun = house.begin({ ...onAnotherLog(house), confirmLog: () => Promise.reject(refused) });
    await expect(begun).rejects.toThrow(refused);
    expect(await house.desk.vault.recordsOf(orderId)).toEqual(kept);
    expect(await dutiesOf(house, orderId)).not.toEqual([]);
  });

  it("erases no key and removes no task, even if it was not refused", async () => {
    await using house = await openHouse();
    const orderId = await keptOrder(house);
    const kept = (await house.desk.vault.recordsOf(orderId)).map(({ recordId }) => recordId);
    const owed = await dutiesOf(house, orderId);
    await house.begin({ ...onAnotherLog(house), confirmLog: async () => undefined, settings: hasty });
    await vi.waitFor(() => expect(house.logLines.join("")).toContain("that the log does not hold"), soon);
    expect((await house.desk.vault.recordsOf(orderId)).map(({ recordId }) => recordId)).toEqual(kept);
    expect(await dutiesOf(house, orderId)).toEqual(owed);
  });
});
