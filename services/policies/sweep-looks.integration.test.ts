import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { addDays, addSeconds } from "../../domain/instant.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndPay, placeAndSubmit } from "../../testing/system/orders-fixture.ts";
import { followForAnHour, openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";
import { addNote, recordDispatch } from "../orders/staff/staff-actions.ts";

const day = 86_400;
const staff = { by: { userId: "ann" }, reason: "customerAsked" as const, correlationId: "a-click" };

const stray = (subject: string, dueAt: string) => ({
  recordId: randomUUID(),
  subject,
  dataClass: "contact" as const,
  kind: "orderNote" as const,
  schemaVersion: 1,
  body: { text: "Never named" },
  dueAt,
});

/** Remaining records, each with its due time and row version. */
async function rowsOf(system: TestSystem, subject: string) {
  const { rows } = await system.pool.query<{ record_id: string; due_at: Date; version: string }>(
    `select record_id, due_at, xmin::text as version from vault_records
     where subject = $1 and destroyed_at is null order by record_id`,
    [subject],
  );
  return rows.map(({ record_id, due_at, version }) => ({
    recordId: record_id,
    dueAt: due_at.toISOString(),
    version,
  }));
}

/** Waits until a sweep that began after this call has ended: it has claimed due records twice. */
async function swept(system: TestSystem): Promise<void> {
  for (const _ of [1, 2]) {
    const record = stray(randomUUID(), system.deps.now().toISOString());
    await system.deps.vault.seal(record);
    const isTaken = ({ dueAt }: { dueAt: string }) => dueAt > record.dueAt;
    await vi.waitFor(
      async () => expect((await rowsOf(system, record.subject)).every(isTaken)).toBe(true),
      soon,
    );
  }
}

/** Policies that record every order they read. */
async function beginNoting(system: TestSystem, read: string[]): Promise<void> {
  const { orders } = system.deps;
  const load: typeof orders.load = async (orderId) => {
    read.push(orderId);
    return orders.load(orderId);
  };
  await system.begin({ deps: { ...system.deps, orders: { ...orders, load } } });
}

async function closed(system: TestSystem): Promise<{ orderId: string; closedAt: string }> {
  const { orderId } = await placeAndSubmit(system.deps);
  const seen = (type: string) =>
    vi.waitFor(async () => expect(await system.eventTypes(orderId)).toContain(type), soon);
  await seen("SensitiveDataPurged");
  await addNote(system.deps, orderId, "Rang twice.", staff);
  await recordDispatch(system.deps, orderId, system.deps.now().toISOString(), staff);
  await seen("OrderFulfilled");
  const command = { type: "ReportArrival", data: {} } as const;
  const by = { actor: { kind: "customer", id: orderId }, correlationId: "a-request" } as const;
  await system.deps.orders.execute({ orderId, commandId: "arrival", by, command });
  return { orderId, closedAt: (await system.order(orderId)).arrivedAt ?? "" };
}

describe("The sweep", () => {
  it("checks kept records only once their rule makes them due, and neither reads nor writes them before", async () => {
    await using system = await openTestSystem();
    const read: string[] = [];
    await beginNoting(system, read);
    const { orderId, closedAt } = await closed(system);
    system.skip(8 * day);
    const due = addSeconds(addDays(closedAt, 365), 3_600);
    await vi.waitFor(async () => {
      const times = new Set((await rowsOf(system, orderId)).map(({ dueAt }) => dueAt));
      expect(times).toEqual(new Set([due]));
    }, soon);
    await swept(system);
    const before = await rowsOf(system, orderId);
    expect(before).toHaveLength(4);
    read.length = 0;
    for (const days of [1, 30, 200]) {
      system.skip(days * day);
      await swept(system);
    }
    expect(await rowsOf(system, orderId)).toEqual(before);
    expect(read).not.toContain(orderId);
    system.skip(130 * day);
    await vi.waitFor(async () => expect(await rowsOf(system, orderId)).toEqual([]), soon);
  });

  it("reschedules what it checked, and no other record of the same order", async () => {
    await using system = await openTestSystem();
    const { orderId } = await placeAndPay(system.deps);
    system.around.mailer.mood = "down"; // Keeps the order's data.
    await system.pool.query("update vault_records set due_at = now() where subject = $1", [orderId]);
    const orphan = stray(orderId, new Date(Date.now() + 7_200_000).toISOString());
    await system.deps.vault.seal(orphan);
    await followForAnHour(system);
    await system.begin();
    const dueOf = async () =>
      (await rowsOf(system, orderId)).find(({ recordId }) => recordId === orphan.recordId)?.dueAt;
    expect(await dueOf()).toBe(orphan.dueAt);
    system.skip(3_600);
    await vi.waitFor(async () => expect(await dueOf()).toBeUndefined(), soon);
    expect(await rowsOf(system, orderId)).not.toEqual([]);
  });

  it("shares due records with the sweeps of other processes: one of them reads each order", async () => {
    await using system = await openTestSystem();
    const subjects: string[] = Array.from({ length: 40 }, () => randomUUID());
    const dueAt = addSeconds(system.deps.now().toISOString(), 7_200);
    await Promise.all(subjects.map((subject) => system.deps.vault.seal(stray(subject, dueAt))));
    const read: string[] = [];
    await followForAnHour(system);
    await Promise.all([beginNoting(system, read), beginNoting(system, read), beginNoting(system, read)]);
    expect(read).toEqual([]);
    system.skip(3_600);
    await vi.waitFor(async () => {
      for (const subject of subjects) expect(await rowsOf(system, subject)).toEqual([]);
    }, soon);
    expect(read.filter((subject) => subjects.includes(subject)).sort()).toEqual(subjects.toSorted());
  });
});
