import { describe, expect, it, vi } from "vitest";
import type { EventStore } from "../../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { MirrorUnreachable } from "../../../infra/key-ring/key-ring.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { placeAndPay } from "../../../testing/system/orders-fixture.ts";
import { hasty, openTestSystem, type TestSystem } from "../../../testing/system/test-system.ts";
import { createOrders } from "../../orders/orders.ts";
import type { Vault } from "../../vault/vault.ts";
import { vaultTable } from "../../vault/vault-rows.ts";
import { createWorkTable } from "../work/work-table.ts";
import { createPurgeAlarm } from "./purge-alarm.ts";

const seeEvent = (system: TestSystem, orderId: string, type: string) =>
  vi.waitFor(async () => expect(await system.eventTypes(orderId)).toContain(type), soon);

const alarms = (system: TestSystem) =>
  system.logLines.filter((line) => line.includes("ALARM: sensitive data should have been purged"));

/** The same vault, unable to erase while the mirror is unavailable. */
function vaultWithMirror(vault: Vault, mirror: { away: boolean }): Vault {
  return {
    ...vault,
    destroy: async (refs) => {
      if (mirror.away) throw new MirrorUnreachable("Not mounted.");
      return vault.destroy(refs);
    },
  };
}

describe("Sensitive data that cannot be purged", () => {
  it("raises one alarm 120 s after submission and not before, however often the purge is tried", async () => {
    await using system = await openTestSystem();
    const mirror = { away: true };
    await system.begin({ deps: { ...system.deps, vault: vaultWithMirror(system.deps.vault, mirror) } });
    const { orderId } = await placeAndPay(system.deps);
    const failMore = async (skipSeconds: number) => {
      const { failures } = (await system.order(orderId)).purges.application;
      system.skip(skipSeconds);
      await vi.waitFor(async () => {
        expect((await system.order(orderId)).purges.application.failures).toBeGreaterThan(failures);
      }, soon);
    };
    await failMore(0);
    await failMore(20);
    await failMore(35);
    // Leaves a minute for a slow machine.
    expect(alarms(system)).toEqual([]);
    await failMore(70);
    await vi.waitFor(() => expect(alarms(system)).toHaveLength(1), soon);
    await failMore(300);
    await failMore(300);
    expect(alarms(system)).toHaveLength(1);
    expect(alarms(system)[0]).toContain(orderId);
  });

  it("raises no alarm once purged, even if still listed", async () => {
    await using system = await openTestSystem();
    const policies = await system.begin();
    const { orderId } = await placeAndPay(system.deps);
    await seeEvent(system, orderId, "SensitiveDataPurged");
    // Nothing takes it off the list again.
    await policies.stop();
    await system.pool.query("delete from work");
    const { orders, now, log } = system.deps;
    const table = createWorkTable(system.pool);
    const purge = { kind: "purge", dataClass: "application", rule: "submitted", attempt: 1 } as const;
    const dueAt = now().toISOString();
    system.skip(300);
    await table.remind(
      { subjectId: orderId, tasks: [{ ...purge, name: "purge-application-1", dueAt }] },
      now(),
    );
    expect((await table.openPurges(now(), 10)).map(({ subjectId }) => subjectId)).toContain(orderId);
    await createPurgeAlarm({ table, orders, now, log, settings: hasty })();
    expect(alarms(system)).toEqual([]);
  });

  it("is purged within half a minute of the mirror's return, long before the next failure is recorded", async () => {
    await using system = await openTestSystem();
    const mirror = { away: true };
    await system.begin({ deps: { ...system.deps, vault: vaultWithMirror(system.deps.vault, mirror) } });
    const { orderId } = await placeAndPay(system.deps);
    const failures = async () => (await system.order(orderId)).purges.application.failures;
    for (let nth = 1; nth <= 5; nth += 1) {
      system.skip(300);
      await vi.waitFor(async () => expect(await failures()).toBeGreaterThanOrEqual(nth), soon);
    }
    mirror.away = false;
    system.skip(10);
    await seeEvent(system, orderId, "SensitiveDataPurged");
    expect((await system.order(orderId)).purges.application.failures).toBe(0);
  });
});

describe("A crash between erasing and recording", () => {
  /** The orders of a process that dies while recording a purge. */
  function ordersDyingAtPurge(system: TestSystem, store: EventStore) {
    let deaths = 0;
    const append: EventStore["append"] = (request) => {
      if (deaths > 0 || !request.events.some(({ type }) => type === "SensitiveDataPurged"))
        return store.append(request);
      deaths += 1;
      return Promise.reject(new Error("The process died."));
    };
    const dying: EventStore = {
      append,
      readStream: (stream, from) => store.readStream(stream, from),
      readAll: (after, limit) => store.readAll(after, limit),
      eventAt: (position) => store.eventAt(position),
      follow: (options) => store.follow(options),
      head: () => store.head(),
      logId: () => store.logId(),
      close: async () => undefined,
    };
    const orders = createOrders({ store: dying, random: Math.random, now: system.deps.now });
    return { orders, deaths: () => deaths };
  }

  it("leads to the same receipt on the next try", async () => {
    await using system = await openTestSystem();
    const store = createPostgresEventStore({
      pool: system.pool,
      connectionString: system.database.connectionString,
      companions: vaultTable,
    });
    const { orders, deaths } = ordersDyingAtPurge(system, store);
    const receipts: string[] = [];
    const destroy: Vault["destroy"] = async (refs) => {
      const receipt = await system.deps.vault.destroy(refs);
      receipts.push(receipt.keyFingerprint);
      return receipt;
    };
    const vault = { ...system.deps.vault, destroy };
    const policies = await system.begin({ deps: { ...system.deps, orders, vault } });
    const { orderId } = await placeAndPay(system.deps);
    await seeEvent(system, orderId, "SensitiveDataPurged");
    // They would wait for this log with the record of a mail that has left.
    await policies.stop();
    await store.close();
    expect(deaths()).toBe(1);
    expect(receipts.length).toBeGreaterThan(1);
    expect(await system.eventData(orderId, "SensitiveDataPurged")).toMatchObject({
      destroyed: ["application", "signature"],
      keyFingerprint: receipts[0],
      records: 2,
    });
  });
});
