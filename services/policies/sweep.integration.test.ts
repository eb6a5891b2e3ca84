import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import { MirrorUnreachable } from "../../infra/key-ring/key-ring.ts";
import { orderRequest } from "../../testing/services/use-case-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndPay, placeOrder } from "../../testing/system/orders-fixture.ts";
import { followForAnHour, openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";
import { createOrder } from "../orders/create-order.ts";

const seeEvent = (system: TestSystem, orderId: string, type: string) =>
  vi.waitFor(async () => expect(await system.eventTypes(orderId)).toContain(type), soon);

const deadQueue: Jobs = {
  add: () => Promise.reject(new Error("The queue is full.")),
  work: async () => async () => undefined,
  standing: async () => ({ waiting: 0, active: 0, oldestWaiting: undefined }),
  wipe: async () => undefined,
  close: async () => undefined,
};

it("a queue wiped repeatedly at any moment loses nothing, with two workers", async () => {
  await using system = await openTestSystem();
  const jobs = await system.openJobs();
  await system.begin({ jobs });
  await system.begin({ jobs });
  const wiping = new AbortController();
  const wiper = (async () => {
    // Limited: on a slow machine no work would get done between two wipes.
    for (let wipes = 0; wipes < 200 && !wiping.signal.aborted; wipes++) {
      await jobs.wipe();
      await delay(30);
    }
  })();
  const placed = await Promise.all(Array.from({ length: 8 }, () => placeAndPay(system.deps)));
  const finished = vi.waitFor(async () => {
    for (const { orderId } of placed)
      expect(await system.eventTypes(orderId)).toContain("SensitiveDataPurged");
  }, soon);
  await finished.finally(() => wiping.abort());
  await wiper;
  const accepted = [...system.around.automation.accepted.keys()].map((key) => key.replace(/-\d+$/, ""));
  expect(accepted.length, "no order was accepted twice").toBe(new Set(accepted).size);
});

it("a queue that accepts nothing delays nothing", async () => {
  await using system = await openTestSystem();
  const policies = await system.begin({ jobs: deadQueue });
  const { orderId } = await placeAndPay(system.deps);
  await seeEvent(system, orderId, "SensitiveDataPurged");
  expect((await policies.status()).state).toBe("following");
});

describe("A task that fails", () => {
  it("is tried again", async () => {
    await using system = await openTestSystem();
    await system.begin();
    system.around.mailer.mood = "down";
    const { orderId } = await placeAndPay(system.deps);
    const failures = () => system.logLines.filter((line) => line.includes("a task failed"));
    await vi.waitFor(() => expect(failures().length).toBeGreaterThan(1), soon);
    system.around.mailer.mood = "well";
    await seeEvent(system, orderId, "SensitiveDataPurged");
  });

  it("does not delay other orders", async () => {
    await using system = await openTestSystem();
    await system.begin();
    const { send } = system.around.mailer;
    system.around.mailer.send = (mail) =>
      mail.to === "broken@post.example" ? Promise.reject(new TypeError("Cannot be written.")) : send(mail);
    const broken = await placeAndPay(system.deps, { email: "broken@post.example" });
    const sound = await placeAndPay(system.deps);
    await seeEvent(system, sound.orderId, "SensitiveDataPurged");
    expect((await system.order(broken.orderId)).phase).toBe("Paid");
    expect(system.logLines.join("")).not.toContain("broken@post.example");
  });
});

describe("Due sealed records", () => {
  const dueAt = () => new Date().toISOString();
  const stray = (subject: string) => ({
    recordId: randomUUID(),
    subject,
    dataClass: "application" as const,
    kind: "application" as const,
    schemaVersion: 1,
    body: { SurnameAtBirth: "Llywelyn" },
    dueAt: dueAt(),
  });

  const dueNow = (system: TestSystem, subject: string) =>
    system.pool.query("update vault_records set due_at = now() where subject = $1", [subject]);

  it("are erased if no event names them, and kept otherwise", async () => {
    await using system = await openTestSystem();
    const { vault } = system.deps;
    const neverCreated = randomUUID();
    await vault.seal(stray(neverCreated));
    const { orderId } = await placeAndPay(system.deps);
    system.around.mailer.mood = "down"; // Keeps the order's data.
    const named = await vault.recordsOf(orderId);
    await dueNow(system, orderId);
    await vault.seal(stray(orderId));
    await followForAnHour(system);
    await system.begin();
    expect(await vault.recordsOf(neverCreated)).toEqual([]);
    const kept = await vault.recordsOf(orderId);
    expect(kept.map(({ recordId }) => recordId).sort()).toEqual(named.map(({ recordId }) => recordId).sort());
  });

  it("of an order that was only created expire with it", async () => {
    await using system = await openTestSystem();
    const { order } = await createOrder(system.deps, orderRequest(), undefined, "a-request");
    system.skip(86_400);
    await system.begin();
    await vi.waitFor(async () => expect(await system.deps.vault.recordsOf(order.orderId)).toEqual([]), soon);
  });

  it("restore their order's tasks if lost from the list", async () => {
    await using system = await openTestSystem();
    const first = await system.begin();
    const orderId = await placeOrder(system.deps);
    const { position } = await system.deps.orders.load(orderId);
    await vi.waitFor(async () => expect((await first.status()).position).toBe(position), soon);
    await first.stop();
    await system.pool.query("delete from work");
    system.skip(86_400);
    await system.begin();
    await vi.waitFor(async () => expect(await system.deps.vault.recordsOf(orderId)).toEqual([]), soon);
  });

  it("that cannot be erased do not block others", async () => {
    await using system = await openTestSystem();
    const { vault } = system.deps;
    const [stuck, sound] = [stray(randomUUID()), stray(randomUUID())];
    await vault.seal({ ...stuck, dueAt: "2020-01-01T00:00:00.000Z" });
    await vault.seal(sound);
    const destroy: typeof vault.destroy = (refs) =>
      refs.includes(stuck.recordId)
        ? Promise.reject(new MirrorUnreachable("Not mounted."))
        : vault.destroy(refs);
    await followForAnHour(system);
    await system.begin({ deps: { ...system.deps, vault: { ...vault, destroy } } });
    expect(await vault.recordsOf(sound.subject)).toEqual([]);
    expect(await vault.recordsOf(stuck.subject)).toHaveLength(1);
    const now = system.deps.now().toISOString();
    expect(await vault.claimDue({ now, until: now, keptDays: 365, limit: 10 })).toEqual([]);
    expect(system.logLines.join("")).toContain("MirrorUnreachable");
  });
});
